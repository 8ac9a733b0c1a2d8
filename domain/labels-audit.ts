import type { AuditAct, AuditEntry } from '#contract/admin.ts';
import { ANSWERS, ATTEMPTS, formatCount, formatNumber, QUESTIONS, type Forms } from './format.ts';
import { formatDuration } from './format-time.ts';
import type { RoleNumber } from '#contract/auth.ts';
import { formatTeaching } from './format-teaching.ts';
import { isLossCause, LOSS_LABELS } from './labels-lost-time.ts';
import { roleLabel } from './labels.ts';

/** Every act, worded without its author. */
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
  teachingPassed: 'Тесты и классы переданы другому',
  teachingReceived: 'Тесты и классы получены от другого',
  teachingArchived: 'Тесты убраны в архив, классы закрыты',
  projectHidden: 'Проект скрыт',
  projectShown: 'Проект снова показан',
  projectChanged: 'Проект изменён',
  projectDeleted: 'Проект удалён',
  signedIn: 'Вход',
  signInFailed: 'Неудачный вход',
  signInLocked: 'Вход закрыт на время',
  userRegistered: 'Регистрация',
  passwordChanged: 'Изменён свой пароль',
  testDeleted: 'Тест удалён',
  testArchived: 'Тест убран в архив',
  testRestored: 'Тест возвращён из архива',
  keyChanged: 'Изменены ключи опубликованного теста',
  keyCorrected: 'Исправлен ключ',
  attemptDeleted: 'Попытка удалена',
  attemptRestored: 'Попытка возвращена',
  gradeChanged: 'Изменена оценка',
  heldDecided: 'Решение по отложенным ответам',
  startCodeShown: 'Показан код начала без сети',
  startCodeRenewed: 'Сделан новый код начала без сети',
  startCodeMade: 'Сделан отдельный код класса',
  startCodeRemoved: 'Убран отдельный код класса',
  beginDecided: 'Решение о начале без сети',
  receiptKeyRotated: 'Сменён ключ квитанций',
  timeAdded: 'Добавлено время',
  statisticsExported: 'Выгружена статистика теста',
  accessGiven: 'Коллеге открыт доступ',
  accessTaken: 'Доступ коллеги закрыт',
  factorAdded: 'Добавлен второй шаг входа',
  factorRemoved: 'Удалён второй шаг входа',
  factorsRemoved: 'Сброшен вход в два шага',
  factorStopLifted: 'Снова разрешены коды второго шага',
  factorRequired: 'Вход в два шага стал обязательным',
  factorOptional: 'Вход в два шага стал необязательным',
  auditExported: 'Выгружен журнал',
};

export const actLabel = (act: AuditAct): string => ACTS[act];

const TIMES: Forms = ['раз', 'раза', 'раз'];
const MINUTE_MS = 60_000;

type Details = AuditEntry['details'];

const asRole = (value: string | number | undefined): string | null => {
  const role = Number(value);
  return [0, 1, 2].includes(role) ? roleLabel(role as RoleNumber) : null;
};

/** The counts of an import; others are not shown. */
const COUNTS = [
  ['made', 'создано'],
  ['exists', 'уже было'],
  ['wrong', 'с ошибками'],
] as const;
const FIELDS: Readonly<Record<string, string>> = { name: 'имя', email: 'почта' };

const fieldNames = ({ fields }: Details): string =>
  String(fields ?? '')
    .split(', ')
    .flatMap((field) => FIELDS[field] ?? [])
    .join(', ');

const importCounts = (details: Details): string =>
  COUNTS.flatMap(([key, word]) => {
    const count = Number(details[key] ?? 0);
    return count > 0 ? [`${word} ${formatNumber(count)}`] : [];
  }).join(', ');

const teachingCounts = ({ tests, groups, bankEntries, templates }: Details): string =>
  formatTeaching({
    tests: Number(tests ?? 0),
    groups: Number(groups ?? 0),
    bankEntries: Number(bankEntries ?? 0),
    templates: Number(templates ?? 0),
  });

const pointsLabel = (points: string | number | undefined): string =>
  points === undefined ? 'без оценки' : formatNumber(Number(points));

function describeRole({ from, to }: Details): string {
  const [before, after] = [asRole(from), asRole(to)];
  return before === null || after === null ? '' : `${before}, теперь ${after}`;
}

/** Why a right password did not open an account. */
const REASONS: Readonly<Record<string, string>> = {
  blocked: 'учётная запись заблокирована',
  factor: 'второй шаг не подошёл',
  stopped: 'коды остановлены',
};

/** What proved the second step of a sign-in. */
const FACTORS: Readonly<Record<string, string>> = {
  totp: 'пароль и код из приложения',
  recovery: 'пароль и код восстановления',
  passkey: 'пароль и ключ входа',
};

/** What a colleague may do with the shared object, by `of` and `level`. */
const ACCESS: Readonly<Record<string, string>> = {
  'test results': 'тест: смотреть результаты',
  'test grade': 'тест: проверять ответы',
  'test edit': 'тест: менять',
  'group edit': 'класс: вести вместе',
  'bank results': 'банк вопросов: смотреть и брать копии',
};

const describeAccess = ({ of, level }: Details): string => ACCESS[`${of} ${level}`] ?? '';

/** Why minutes were given back: «outage,takeOver». */
const lossLabels = (reasons: string): string[] =>
  reasons.split(',').flatMap((reason) => (isLossCause(reason) ? [LOSS_LABELS[reason]] : []));

/** Whose start code it is: the test's, unless it names a class. */
const codeOwner = ({ groupId }: Details): string =>
  groupId === undefined ? '' : 'отдельный код класса';

/** Details of an act; acts without an entry have none. */
const DETAILS: Partial<Record<AuditAct, (details: Details) => string>> = {
  userCreated: ({ role }) => asRole(role) ?? '',
  factorRequired: ({ role }) => asRole(role) ?? '',
  factorOptional: ({ role }) => asRole(role) ?? '',
  userChanged: fieldNames,
  roleChanged: describeRole,
  usersImported: importCounts,
  teachingPassed: teachingCounts,
  teachingReceived: teachingCounts,
  teachingArchived: teachingCounts,
  signedIn: ({ factor }) => FACTORS[String(factor)] ?? '',
  signInFailed: ({ reason }) => REASONS[String(reason)] ?? '',
  keyChanged: ({ questions }) => formatCount(Number(questions ?? 0), QUESTIONS),
  keyCorrected: ({ rescored }) => `пересчитано: ${formatCount(Number(rescored ?? 0), ATTEMPTS)}`,
  gradeChanged: ({ from, to }) => `${pointsLabel(from)}, теперь ${pointsLabel(to)}`,
  heldDecided: ({ decision, answers }) =>
    `${decision === 'accepted' ? 'приняты' : 'отклонены'}: ${formatCount(Number(answers ?? 0), ANSWERS)}`,
  startCodeShown: codeOwner,
  startCodeRenewed: codeOwner,
  beginDecided: ({ decision }) => (decision === 'accept' ? 'принято' : 'отклонено'),
  timeAdded: ({ minutes, reasons }) =>
    [formatDuration(Number(minutes ?? 0) * MINUTE_MS), ...lossLabels(String(reasons ?? ''))].join(
      ', ',
    ),
  accessGiven: describeAccess,
  accessTaken: describeAccess,
  statisticsExported: ({ format }) => String(format ?? '').toUpperCase(),
};

/** The address of a sign-in, «с адреса 10.0.0.5 и других»; empty: unknown. */
function describeAddress({ address, details }: Pick<AuditEntry, 'address' | 'details'>): string {
  if (address === null) return '';
  return `с адреса ${address}${details['others'] === undefined ? '' : ' и других'}`;
}

/** Details of an act: «Студент, теперь Преподаватель», «3 раза, с адреса 10.0.0.5»; empty: none. */
export function describeDetails(
  entry: Pick<AuditEntry, 'act' | 'details' | 'times' | 'address'>,
): string {
  return [
    DETAILS[entry.act]?.(entry.details) ?? '',
    entry.times > 1 ? formatCount(entry.times, TIMES) : '',
    describeAddress(entry),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const isRefusedSignIn = (act: AuditAct) => act === 'signInFailed' || act === 'signInLocked';

/** The author. A refused sign-in has none: it may not have been the account's owner. */
export function actorLabel({
  actor,
  act,
  details,
}: Pick<AuditEntry, 'actor' | 'act' | 'details'>): string {
  if (actor !== null) return actor.userName;
  if (isRefusedSignIn(act)) return 'Неизвестно кто';
  return details['by'] === 'operator' ? 'Команда на сервере' : 'Стёртая учётная запись';
}

const ERASED: Readonly<Record<NonNullable<AuditEntry['subject']>['kind'], string>> = {
  user: 'Стёртая учётная запись',
  project: 'Удалённый проект',
  test: 'Удалённый тест',
  attempt: 'Удалённая попытка',
  group: 'Удалённый класс',
};

const WITHOUT_SUBJECT: Partial<Record<AuditAct, string>> = {
  usersImported: 'Из файла',
  signInFailed: 'Почты нет среди учётных записей',
  signInLocked: 'Почты нет среди учётных записей',
};

/** The subject: a person, «Робот», «Законы Ньютона», Анна Кузнецова. */
export function subjectLabel({
  subject,
  person,
  actor,
  act,
}: Pick<AuditEntry, 'subject' | 'person' | 'actor' | 'act'>): string {
  if (subject === null) return WITHOUT_SUBJECT[act] ?? '–';
  if (subject.name === null) return ERASED[subject.kind];
  if (subject.kind === 'user')
    return subject.id === actor?.userId ? 'Своя учётная запись' : subject.name;
  const title = `«${subject.name}»`;
  return person?.userName == null ? title : `${person.userName}, ${title}`;
}
