import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import {
  exportAudit,
  listAudit,
  type AuditAct,
  type AuditEntry,
  type AuditSubjectKind,
} from '#contract/admin.ts';
import { AUDIT_EXPORT_ROWS } from '#contract/limits.ts';
import type { QueryOf } from '#contract/route.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { createSemaphore } from '#server/http/semaphore.ts';
import { recordAct } from './audit.ts';
import { auditCsv } from './audit-csv.ts';

interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly times: number;
  readonly lastAt: Date;
  readonly act: AuditAct;
  readonly details: AuditEntry['details'];
  readonly address: string | null;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly personId: string | null;
  readonly personName: string | null;
  readonly subjectKind: AuditSubjectKind | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
}

/** Names are the current ones; erased people have none. */
const JOINED = `
from audit_log l
  left join users a on a.id = l.actor_id and a.erased_at is null
  left join users w on w.id = l.person_id and w.erased_at is null
  left join projects p on l.subject_kind = 'project' and p.id = l.subject_id
  left join groups g on l.subject_kind = 'group' and g.id = l.subject_id
  left join attempts x on l.subject_kind = 'attempt' and x.id = l.subject_id
  left join tests t on t.id = case l.subject_kind when 'test' then l.subject_id else x.test_id end`;

const ENTRIES = `
select l.id, l.at, l.times, coalesce(l.last_at, l.at) as "lastAt", l.act, l.details, l.address,
  a.id as "actorId", a.user_name as "actorName",
  l.person_id as "personId", w.user_name as "personName",
  l.subject_kind as "subjectKind", l.subject_id as "subjectId",
  case l.subject_kind when 'user' then w.user_name when 'project' then p.name
    when 'group' then g.name else t.name end
    as "subjectName" ${JOINED}`;

const wireEntry = ({
  id,
  at,
  lastAt,
  times,
  act,
  details,
  address,
  ...of
}: EntryRow): AuditEntry => ({
  id,
  at: at.toISOString(),
  times,
  lastAt: lastAt.toISOString(),
  actor: of.actorId === null ? null : { userId: of.actorId, userName: of.actorName ?? '' },
  act,
  subject:
    of.subjectKind === null || of.subjectId === null
      ? null
      : { kind: of.subjectKind, id: of.subjectId, name: of.subjectName },
  person: of.personId === null ? null : { userId: of.personId, userName: of.personName },
  address,
  details,
});

/** Acts by and about a person, the newest first. */
export async function actsAbout(db: Client, userId: string): Promise<AuditEntry[]> {
  const found = await rows<EntryRow>(
    db,
    `${ENTRIES} where l.actor_id = $1 or l.person_id = $1 order by l.at desc, l.id desc`,
    [userId],
  );
  return found.map(wireEntry);
}

type Filter = QueryOf<typeof exportAudit>;

/** The condition of a filter and its parameters. Names are joined only for a search by name. */
function chosen({ act, actorId, personId, from, to, searchQuery }: Filter) {
  const patterns = wordPatterns(searchQuery);
  const named =
    patterns.length === 0
      ? '$6::text[] is not null'
      : `${folded(`concat_ws(' ', w.user_name, a.user_name, p.name, t.name)`)} like all ($6::text[])`;
  return {
    // Acts grouped in one row are within an hour.
    condition: `($1::text is null or l.act = $1) and ($2::uuid is null or l.actor_id = $2)
      and ($3::uuid is null or l.actor_id = $3 or l.person_id = $3)
      and ($4::timestamptz is null
        or l.at >= $4::timestamptz - interval '1 hour' and coalesce(l.last_at, l.at) >= $4)
      and ($5::timestamptz is null or l.at < $5) and ${named}`,
    values: [act ?? null, actorId ?? null, personId ?? null, from ?? null, to ?? null, patterns],
  };
}

async function listActs(
  db: Client,
  { page, pageSize, ...filter }: QueryOf<typeof listAudit>,
): Promise<{ items: AuditEntry[]; total: number }> {
  const { condition, values } = chosen(filter);
  const [counted, found] = await Promise.all([
    one<{ total: number }>(db, `select count(*) as total ${JOINED} where ${condition}`, values),
    rows<EntryRow>(
      db,
      `${ENTRIES} where ${condition} order by l.at desc, l.id desc limit $7 offset $8`,
      [...values, pageSize, (page - 1) * pageSize],
    ),
  ]);
  return { items: found.map(wireEntry), total: counted?.total ?? 0 };
}

/** Rows written before yielding to other calls. */
const ROWS_AT_ONCE = 200;

/** All acts of a filter, the newest first, in pages; later acts are not included. */
async function* allActs(db: Client, filter: Filter, now: Date): AsyncGenerator<AuditEntry[]> {
  const { condition, values } = chosen(filter);
  let last: { at: Date; id: string } | null = null;
  for (;;) {
    const found: EntryRow[] = await rows<EntryRow>(
      db,
      `${ENTRIES} where ${condition} and l.at <= $7
         and ($8::timestamptz is null or (l.at, l.id) < ($8, $9::uuid))
       order by l.at desc, l.id desc limit $10`,
      [...values, now, last?.at ?? null, last?.id ?? null, ROWS_AT_ONCE],
    );
    yield found.map(wireEntry);
    last = found.at(-1) ?? null;
    if (found.length < ROWS_AT_ONCE) return;
  }
}

const exportSlots = createSemaphore(1, {
  message: 'Журнал уже выгружается. Дождитесь, пока он скачается',
  retryAfterSeconds: 10,
});

export function registerAudit(app: FastifyInstance, deps: Deps): void {
  const { pool, settings } = deps;

  handle(app, deps, listAudit, async ({ query }) => listActs(pool, query));

  handle(app, deps, exportAudit, async ({ caller, query, now }) => {
    const leave = exportSlots.take(caller.userId);
    const pieces = auditCsv(allActs(pool, query, now), {
      timeZone: settings.schoolTimezone,
      most: AUDIT_EXPORT_ROWS,
    });
    const bytes = Readable.from(pieces, { objectMode: false }).once('close', leave);
    try {
      await recordAct(pool, deps, { actorId: caller.userId, act: 'auditExported' }, now);
    } catch (error) {
      bytes.destroy();
      throw error;
    }
    return {
      bytes,
      size: null,
      name: `журнал ${now.toISOString().slice(0, 10)}.csv`,
      mimeType: 'text/csv; charset=utf-8',
    };
  });
}
