import type { AuditAct, AuditEntry } from '#contract/admin.ts';
import { formatNumber } from '#domain/format.ts';
import { roleLabel, type RoleNumber } from '#domain/labels.ts';

/** Every act in words, the person who did it aside. */
const ACTS: Readonly<Record<AuditAct, string>> = {
  userCreated: 'Создана учётная запись',
  userChanged: 'Изменены имя или почта',
  roleChanged: 'Изменена роль',
  userBlocked: 'Учётная запись заблокирована',
  userUnblocked: 'Учётная запись разблокирована',
  passwordReset: 'Сброшен пароль',
  usersImported: 'Импорт учётных записей',
  userExported: 'Выгружены данные человека',
  userErased: 'Стёрта учётная запись',
  projectHidden: 'Проект скрыт',
  projectShown: 'Проект снова показан',
  projectChanged: 'Проект изменён',
  projectDeleted: 'Проект удалён',
};

export const actLabel = (act: AuditAct): string => ACTS[act];

const asRole = (value: string | number | undefined): string | null => {
  const role = Number(value);
  return [0, 1, 2].includes(role) && value !== undefined ? roleLabel(role as RoleNumber) : null;
};

/** What an import counts; what has no word here is not shown. */
const COUNTS = [
  ['made', 'создано'],
  ['exists', 'уже было'],
  ['wrong', 'с ошибками'],
] as const;
const FIELDS: Readonly<Record<string, string>> = { name: 'имя', email: 'почта' };

const fieldWords = (fields: string | number | undefined): string =>
  String(fields ?? '')
    .split(', ')
    .flatMap((field) => FIELDS[field] ?? [])
    .join(', ');

/** What more is known of an act: «Студент, теперь Преподаватель», «почта», «создано 25»; empty: nothing. */
export function detailWords({ act, details }: Pick<AuditEntry, 'act' | 'details'>): string {
  if (act === 'userCreated') return asRole(details['role']) ?? '';
  if (act === 'userChanged') return fieldWords(details['fields']);
  const [from, to] = [asRole(details['from']), asRole(details['to'])];
  if (from !== null && to !== null) return `${from}, теперь ${to}`;
  return COUNTS.flatMap(([key, word]) => {
    const count = Number(details[key] ?? 0);
    return count > 0 ? [`${word} ${formatNumber(count)}`] : [];
  }).join(', ');
}

/** Who did it: an administrator, or whoever has the server, by a command of its terminal. */
export function actorWords({ actor, details }: Pick<AuditEntry, 'actor' | 'details'>): string {
  if (actor !== null) return actor.userName;
  return details['by'] === 'operator' ? 'Команда на сервере' : 'Стёртая учётная запись';
}

/** Whom or what it was done to. */
export function subjectWords({ subject, act }: Pick<AuditEntry, 'subject' | 'act'>): string {
  if (subject === null) return act === 'usersImported' ? 'Из файла' : '–';
  if (subject.name !== null) return subject.kind === 'project' ? `«${subject.name}»` : subject.name;
  return subject.kind === 'project' ? 'Удалённый проект' : 'Стёртая учётная запись';
}
