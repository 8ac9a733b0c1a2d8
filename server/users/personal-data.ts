import type { AuditEntry } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import type { RoleNumber } from '#contract/auth.ts';
import type { ReadinessProblem } from '#contract/readiness.ts';
import { roleLabel } from '#domain/labels.ts';
import { actLabel, describeDetails } from '#domain/labels-audit.ts';
import { READINESS_LABELS } from '#domain/labels-readiness.ts';
import { isReady } from '#domain/readiness.ts';
import { formatDevice } from '#domain/format-device.ts';
import { actsAbout } from '#server/admin/list-audit.ts';
import { type AuthenticatedUser, sessionEnd } from '#server/auth/caller.ts';
import { one, rows } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { safeFileName } from '#domain/file-name.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { ArchivedFile } from './zip.ts';

/** The person of the data, and who requests them. */
export interface ExportRequest {
  readonly deps: Deps;
  readonly userId: string;
  /** Parts of a result that the teacher hides stay hidden when the student exports. */
  readonly caller: AuthenticatedUser;
  readonly now: Date;
}

/** Times in a readable form, by the school's clock; null stays null. */
export function createTimeFormat({
  deps,
}: Pick<ExportRequest, 'deps'>): (at: Date | null) => string | null {
  const words = new Intl.DateTimeFormat('ru', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: deps.settings.schoolTimezone,
  });
  return (at) => at && words.format(at);
}

export const json = (path: string, value: unknown): ArchivedFile => ({
  path: `${path}.json`,
  bytes: `${JSON.stringify(value, null, 2)}\n`,
});

const NAME_CHARACTERS = 80;
/** A name for a folder or file of the archive; the number distinguishes namesakes. */
export const entryName = (index: number, name: string): string =>
  `${String(index + 1).padStart(2, '0')} ${safeFileName(name).slice(0, NAME_CHARACTERS).trim()}`;

interface AccountRow {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
  readonly role: RoleNumber;
  readonly createdAt: Date;
  readonly blockedAt: Date | null;
}

/** @throws {Refusal} NOT_FOUND, also for one that was erased */
export async function exportedAccount({
  deps,
  userId,
}: Pick<ExportRequest, 'deps' | 'userId'>): Promise<AccountRow> {
  const account = await one<AccountRow>(
    deps.pool,
    `select id, user_name as "userName", email, role, created_at as "createdAt",
       blocked_at as "blockedAt"
     from users where id = $1 and erased_at is null`,
    [userId],
  );
  if (!account) throw new Refusal('NOT_FOUND');
  return account;
}

/** The account itself, as a file. */
export function accountFile(wanted: ExportRequest, account: AccountRow): ArchivedFile {
  const at = createTimeFormat(wanted);
  return json('учётная запись', {
    номер: account.id,
    имя: account.userName,
    почта: account.email,
    роль: roleLabel(account.role),
    создана: at(account.createdAt),
    заблокирована: at(account.blockedAt),
  });
}

export async function signIns(wanted: ExportRequest): Promise<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const found = await rows<{
    createdAt: Date;
    lastUsedAt: Date;
    usedUntil: Date;
    expiresAt: Date;
    userAgent: string | null;
  }>(
    wanted.deps.pool,
    `select created_at as "createdAt", least(last_used_at, $2) as "lastUsedAt",
       last_used_at as "usedUntil",       expires_at as "expiresAt", user_agent as "userAgent"
     from sessions where user_id = $1 order by created_at, token_hash`,
    [wanted.userId, wanted.now],
  );
  return json(
    'входы',
    found.map((session) => ({
      вход: at(session.createdAt),
      'последнее использование': at(session.lastUsedAt),
      'действует до': at(sessionEnd(session.expiresAt, session.usedUntil)),
      устройство: formatDevice(session.userAgent),
      'как назвался браузер': session.userAgent,
    })),
  );
}

/** What the person's devices reported before tests without a network; null: nothing. */
export async function deviceReports(wanted: ExportRequest): Promise<ArchivedFile | null> {
  const at = createTimeFormat(wanted);
  const found = await rows<{
    testName: string;
    problems: ReadinessProblem[];
    appVersion: string;
    reportedAt: Date;
  }>(
    wanted.deps.pool,
    `select t.name as "testName", r.problems, r.app_version as "appVersion",
       r.reported_at as "reportedAt"
     from readiness_reports r join tests t on t.id = r.test_id
     where r.user_id = $1 order by r.reported_at, r.device_id, t.id`,
    [wanted.userId],
  );
  if (found.length === 0) return null;
  return json(
    'готовность устройств',
    found.map(({ testName, problems, appVersion, reportedAt }) => ({
      тест: testName,
      готово: isReady(problems),
      'чего не хватает': problems.map((problem) => READINESS_LABELS[problem]),
      'версия приложения': appVersion,
      когда: at(reportedAt),
    })),
  );
}

/** Second factors: names and times, no secrets; null: the person has none. */
export async function secondFactor(wanted: ExportRequest): Promise<ArchivedFile | null> {
  const at = createTimeFormat(wanted);
  const { deps, userId } = wanted;
  const found = await rows<{ kind: string; createdAt: Date; lastUsedAt: Date | null }>(
    deps.pool,
    `select 'ключ входа «' || name || '»' as kind, created_at as "createdAt",
       last_used_at as "lastUsedAt" from passkeys where user_id = $1
     union all
     select 'приложение с кодами', created_at, last_used_at from totp_secrets where user_id = $1
     order by "createdAt", kind`,
    [userId],
  );
  if (found.length === 0) return null;
  const codes = await one<{ left: number }>(
    deps.pool,
    'select count(*) as left from recovery_codes where user_id = $1',
    [userId],
  );
  return json('вход в два шага', {
    способы: found.map(({ kind, createdAt, lastUsedAt }) => ({
      способ: kind,
      добавлен: at(createdAt),
      'последнее использование': at(lastUsedAt),
    })),
    'осталось кодов восстановления': codes?.left ?? 0,
  });
}

const VIA: Readonly<Record<string, string>> = {
  code: 'по коду класса',
  generated: 'учётная запись создана для класса',
  picked: 'добавлен преподавателем',
};

/** Of access that colleagues gave. */
const LEVELS: Readonly<Record<string, string>> = {
  results: 'смотреть',
  grade: 'проверять',
  edit: 'менять',
};

export async function classes(wanted: ExportRequest): Promise<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const { deps, userId } = wanted;
  const [member, former, owned, shared] = await Promise.all([
    rows<{ name: string; via: string; addedAt: Date }>(
      deps.pool,
      `select g.name, m.via, m.added_at as "addedAt" from group_members m
         join groups g on g.id = m.group_id
       where m.user_id = $1 order by m.added_at, g.id`,
      [userId],
    ),
    rows<{ name: string; via: string }>(
      deps.pool,
      `select g.name, f.via from former_members f join groups g on g.id = f.group_id
       where f.user_id = $1 order by g.name, g.id`,
      [userId],
    ),
    rows<{ name: string; createdAt: Date; students: number }>(
      deps.pool,
      `select g.name, g.created_at as "createdAt",
         (select count(*) from group_members m where m.group_id = g.id) as students
       from groups g where g.owner_id = $1 order by g.created_at, g.id`,
      [userId],
    ),
    rows<{ kind: string; name: string; level: string; createdAt: Date }>(
      deps.pool,
      `select 'тест' as kind, t.name, s.level, s.created_at as "createdAt"
         from test_shares s join tests t on t.id = s.test_id where s.user_id = $1
       union all select 'класс', g.name, s.level, s.created_at
         from group_shares s join groups g on g.id = s.group_id where s.user_id = $1
       union all select 'банк вопросов', '', s.level, s.created_at
         from bank_shares s where s.user_id = $1
       order by "createdAt", kind, name`,
      [userId],
    ),
  ]);
  return json('классы', {
    состоит: member.map(({ name, via, addedAt }) => ({
      класс: name,
      'как попал': VIA[via] ?? via,
      когда: at(addedAt),
    })),
    'больше не состоит': former.map(({ name, via }) => ({
      класс: name,
      'как попал': VIA[via] ?? via,
    })),
    ведёт: owned.map(({ name, createdAt, students }) => ({
      класс: name,
      создан: at(createdAt),
      учеников: students,
    })),
    'доступ от коллег': shared.map(({ kind, name, level, createdAt }) => ({
      что: kind,
      название: name,
      уровень: LEVELS[level] ?? level,
      открыт: at(createdAt),
    })),
  });
}

/** Who did it, without a name: the export must not reveal others. */
function actorOf({ actor, act }: AuditEntry, userId: string): string {
  if (actor?.userId === userId) return 'вами';
  return act === 'signInFailed' || act === 'signInLocked' ? 'неизвестно кем' : 'другим человеком';
}

/**
 * Acts by and about the person; others stay without a name. Others' acts on the person's attempts are exported
 * without figures: a teacher may still hide them.
 */
export async function acts(wanted: ExportRequest): Promise<ArchivedFile> {
  const at = createTimeFormat(wanted);
  const { deps, userId, caller } = wanted;
  const found = await actsAbout(deps.pool, userId);
  const isHidden = ({ subject, actor }: AuditEntry) =>
    subject?.kind === 'attempt' && actor?.userId !== userId && caller.role !== ROLE.admin;
  return json(
    'журнал действий',
    found.map((entry) => ({
      когда: at(new Date(entry.at)),
      ...(entry.times > 1 && { 'в последний раз': at(new Date(entry.lastAt)) }),
      действие: actLabel(entry.act),
      кем: actorOf(entry, userId),
      'с вами': entry.person?.userId === userId,
      подробности: isHidden(entry) ? '' : describeDetails(entry),
    })),
  );
}
