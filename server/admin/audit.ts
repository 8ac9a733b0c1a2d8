import type { AuditAct } from '#contract/admin.ts';
import { type Client, execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';

export interface Act {
  /** Null: whoever has the server, by a command of the terminal. */
  actorId: string | null;
  act: AuditAct;
  /** Absent: an act without one subject. */
  subject?: { kind: 'user' | 'project'; id: string };
  /** No names and no passwords: an erasure must reach them. */
  details?: Readonly<Record<string, string | number>>;
}

/** Writes an administrative act down; within the transaction of the act itself. */
export async function recordAct(
  client: Client,
  { newId }: Pick<Deps, 'newId'>,
  { actorId, act, subject, details = {} }: Act,
  now: Date,
): Promise<void> {
  const all = actorId === null ? { ...details, by: 'operator' } : details;
  await execute(
    client,
    `insert into audit_log (id, at, actor_id, act, subject_kind, subject_id, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [newId(), now, actorId, act, subject?.kind ?? null, subject?.id ?? null, all],
  );
}
