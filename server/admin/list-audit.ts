import type { FastifyInstance } from 'fastify';
import { listAudit, type AuditAct, type AuditEntry } from '#contract/admin.ts';
import type { QueryOf } from '#contract/route.ts';
import { rows, type Client } from '#server/db/query.ts';
import { folded, wordPatterns } from '#server/db/search.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';

interface EntryRow {
  readonly id: string;
  readonly at: Date;
  readonly act: AuditAct;
  readonly details: AuditEntry['details'];
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly subjectKind: 'user' | 'project' | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
}

/** Names are those of now; whoever was erased has none. */
const ENTRIES = `
select l.id, l.at, l.act, l.details, a.id as "actorId", a.user_name as "actorName",
  l.subject_kind as "subjectKind", l.subject_id as "subjectId",
  coalesce(s.user_name, p.name) as "subjectName"
from audit_log l
  left join users a on a.id = l.actor_id and a.erased_at is null
  left join users s on l.subject_kind = 'user' and s.id = l.subject_id and s.erased_at is null
  left join projects p on l.subject_kind = 'project' and p.id = l.subject_id`;

const wireEntry = ({ id, at, act, details, ...of }: EntryRow): AuditEntry => ({
  id,
  at: at.toISOString(),
  actor: of.actorId === null ? null : { userId: of.actorId, userName: of.actorName ?? '' },
  act,
  subject:
    of.subjectKind === null || of.subjectId === null
      ? null
      : { kind: of.subjectKind, id: of.subjectId, name: of.subjectName },
  details,
});

/** Acts done by a person and to him, the newest first. */
export async function actsAbout(db: Client, userId: string): Promise<AuditEntry[]> {
  const found = await rows<EntryRow>(
    db,
    `${ENTRIES} where l.actor_id = $1 or l.subject_kind = 'user' and l.subject_id = $1
     order by l.at desc, l.id desc`,
    [userId],
  );
  return found.map(wireEntry);
}

async function listActs(
  db: Client,
  { act, actorId, searchQuery, page, pageSize }: QueryOf<typeof listAudit>,
): Promise<{ items: AuditEntry[]; total: number }> {
  const chosen = `
    from (${ENTRIES}) e
    where ($1::text is null or e.act = $1) and ($2::uuid is null or e."actorId" = $2)
      and ${folded(`concat_ws(' ', e."subjectName", e."actorName")`)} like all ($3::text[])`;
  const values = [act ?? null, actorId ?? null, wordPatterns(searchQuery)];
  const [counted, found] = await Promise.all([
    rows<{ total: number }>(db, `select count(*) as total ${chosen}`, values),
    rows<EntryRow>(db, `select e.* ${chosen} order by e.at desc, e.id desc limit $4 offset $5`, [
      ...values,
      pageSize,
      (page - 1) * pageSize,
    ]),
  ]);
  return { items: found.map(wireEntry), total: counted[0]?.total ?? 0 };
}

export function registerAudit(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, listAudit, async ({ query }) => listActs(deps.pool, query));
}
