import type { AuditAct, AuditSubjectKind } from '#contract/admin.ts';
import { type Client, execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';

export interface Act {
  /** Null: the operator, by a command of the terminal. */
  actorId: string | null;
  act: AuditAct;
  /** Absent: an act without one subject. */
  subject?: { kind: AuditSubjectKind; id: string };
  /** The person concerned, where the subject is another one. */
  personId?: string;
  /** No names and no passwords: an erasure could not reach them. */
  details?: Readonly<Record<string, string | number>>;
  /** The address of a sign-in. */
  address?: string;
}

/** An act on one subject. */
export const actOn = (
  kind: AuditSubjectKind,
  id: string,
  act: Omit<Act, 'subject' | 'personId'>,
): Act => ({ ...act, subject: { kind, id } });

/** An act on an attempt, which concerns its student. */
export const actOnAttempt = (
  { id, userId }: { readonly id: string; readonly userId: string },
  act: Pick<Act, 'actorId' | 'act' | 'details'>,
): Act => ({ ...actOn('attempt', id, act), personId: userId });

const personOf = ({ personId, subject }: Act): string | null =>
  personId ?? (subject?.kind === 'user' ? subject.id : null);

const detailsOf = ({ actorId, details = {} }: Act) =>
  JSON.stringify(actorId === null ? { ...details, by: 'operator' } : details);

const insertActs = {
  name: 'record-acts',
  text: `
    insert into audit_log (id, at, actor_id, act, subject_kind, subject_id, person_id, details, address)
    select row.id, $1, row.actor, row.act, row.kind, row.subject, row.person, row.details, row.address
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::jsonb[],
      $9::text[]) as row (id, actor, act, kind, subject, person, details, address)`,
};

/** Logs acts; within the transaction of the acts themselves. */
export async function recordActs(
  client: Client,
  { newId }: Pick<Deps, 'newId'>,
  acts: readonly Act[],
  now: Date,
): Promise<void> {
  await execute(client, insertActs, [
    now,
    acts.map(() => newId()),
    acts.map(({ actorId }) => actorId),
    acts.map(({ act }) => act),
    acts.map(({ subject }) => subject?.kind ?? null),
    acts.map(({ subject }) => subject?.id ?? null),
    acts.map(personOf),
    acts.map(detailsOf),
    acts.map(({ address }) => address ?? null),
  ]);
}

/** Logs one act; within the transaction of the act itself. */
export function recordAct(
  client: Client,
  deps: Pick<Deps, 'newId'>,
  act: Act,
  now: Date,
): Promise<void> {
  return recordActs(client, deps, [act], now);
}
