import { hash } from 'node:crypto';
import type { AuditAct, AuditSubjectKind } from '#contract/admin.ts';
import { type Client, execute } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';

export interface Act {
  /** Null: the operator, by a command in the terminal. */
  actorId: string | null;
  act: AuditAct;
  /** Absent: an act without one subject. */
  subject?: { kind: AuditSubjectKind; id: string };
  /** The person concerned, if the subject is another one. */
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

const HOUR_MS = 3_600_000;

/** The beginning of the hour in which repeated acts are one row. */
export const startOfHour = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);

/** The key that identical acts of an hour share. */
const gatheringKey = (act: Act, now: Date): string =>
  hash(
    'sha256',
    JSON.stringify([
      startOfHour(now),
      act.actorId,
      act.act,
      act.subject?.kind,
      act.subject?.id,
      personOf(act),
      detailsOf(act),
      act.address,
    ]),
    'base64url',
  );

// In the order of keys: two transactions that repeat the same acts wait for each other without a deadlock.
const insertActs = {
  name: 'record-acts',
  text: `
    insert into audit_log as l (id, at, last_at, actor_id, act, subject_kind, subject_id, person_id, details,
      address, times, gathers)
    select row.id, $1, $1, row.actor, row.act, row.kind, row.subject, row.person, row.details, row.address,
      row.times, row.gathers
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::jsonb[],
      $9::text[], $10::int[], $11::text[])
      as row (id, actor, act, kind, subject, person, details, address, times, gathers)
    order by row.gathers
    on conflict (gathers) where gathers is not null do update set
      times = l.times + excluded.times, last_at = greatest(l.last_at, excluded.last_at)`,
};

/** Logs acts, within their transaction. Identical acts of an hour are one row with a count. */
export async function recordActs(
  client: Client,
  { newId }: Pick<Deps, 'newId'>,
  acts: readonly Act[],
  now: Date,
): Promise<void> {
  const byKey = new Map<string, { act: Act; times: number }>();
  for (const act of acts) {
    const key = gatheringKey(act, now);
    byKey.set(key, { act, times: (byKey.get(key)?.times ?? 0) + 1 });
  }
  const gathered = [...byKey.values()];
  await execute(client, insertActs, [
    now,
    gathered.map(() => newId()),
    gathered.map(({ act }) => act.actorId),
    gathered.map(({ act }) => act.act),
    gathered.map(({ act }) => act.subject?.kind ?? null),
    gathered.map(({ act }) => act.subject?.id ?? null),
    gathered.map(({ act }) => personOf(act)),
    gathered.map(({ act }) => detailsOf(act)),
    gathered.map(({ act }) => act.address ?? null),
    gathered.map(({ times }) => times),
    [...byKey.keys()],
  ]);
}

/** Logs one act, within its transaction. */
export function recordAct(
  client: Client,
  deps: Pick<Deps, 'newId'>,
  act: Act,
  now: Date,
): Promise<void> {
  return recordActs(client, deps, [act], now);
}
