import { isDeepStrictEqual } from 'node:util';
import type { PoolClient } from 'pg';
import type { decideHolds, HeldBegin, listHolds } from '#contract/offers.ts';
import type { BodyOf, QueryOf, ReplyOf } from '#contract/route.ts';
import { actOnAttempt, recordActs, type Act } from '#server/admin/audit.ts';
import { nameKey } from '#server/db/name-order.ts';
import { execute, rows, transaction, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { lockRescoring } from '#server/grading/lock.ts';
import { groupNames, inGroup, type TaughtTest } from '#server/grading/taught-test.ts';
import { Refusal } from '#server/http/refusal.ts';
import { ATTEMPT_COLUMNS, type Attempt } from '#server/passing/attempt.ts';
import { closeIfDue } from '#server/passing/close.ts';
import { rescore } from '#server/passing/counting.ts';
import { rejudgeLate } from '#server/passing/extend.ts';
import { applyEarlyFinish } from '#server/passing/finish.ts';
import { addStream } from '#server/passing/streams.ts';

type HeldRow = Omit<
  HeldBegin,
  'begunAt' | 'deadline' | 'receivedAt' | 'seenServerAt' | 'isOtherDevice'
> &
  Readonly<Record<'begunAt' | 'deadline' | 'receivedAt', Date>> &
  Pick<Attempt, 'defaultStream'> & {
    readonly seenServerAt: Date | null;
  };

/** SQL: whether an attempt left by a refusal; if not, it was deleted by itself and no decision brings it back. */
const wasRefused = (attempt: string) => `exists (
  select from begins r where r.attempt_id = ${attempt}.id and r.decision = 'refuse'
    and r.hold <> 'secondDevice')`;

/**
 * SQL: whether a decision would be about a begin. Beside one that counts, it is about those that wait, if any do: what the
 * teacher decided about the others stands until he decides again.
 */
const inQuestion = (
  begin: string,
  isHeld: string,
) => `(${begin}.decision is null or ${isHeld} or not exists (
  select from begins w
  where w.attempt_id = ${begin}.attempt_id and w.hold is not null and w.decision is null))`;

/** Held begins of a test or one of its classes, with their decisions. */
export async function heldBegins(
  db: Client,
  test: TaughtTest,
  { groupId }: QueryOf<typeof listHolds>,
): Promise<ReplyOf<typeof listHolds>> {
  const found = await rows<HeldRow>(
    db,
    `select b.attempt_id as "attemptId", x.number as "attemptNumber", x.user_id as "userId",
       u.user_name as "userName", ${groupNames('u.id', '$3')} as groups, b.hold, b.decision,
       b.stream, x.default_stream as "defaultStream", b.begun_at as "begunAt", x.deadline,
       b.received_at as "receivedAt", b.seen_server_at as "seenServerAt",
       b.age_ms is null as "isAgeUnknown", ${inQuestion('b', 'x.begin_held')} as "isInQuestion",
       (select count(*) from operations o
        where o.attempt_id = b.attempt_id and o.stream = b.stream and o.kind = 'answer'
          and o.outcome = 'held' and o.decision is null) as "heldAnswers"
     from begins b
       join attempts x on x.id = b.attempt_id
       join users u on u.id = x.user_id
     where x.test_id = $1 and b.hold is not null
       and (x.deleted_at is null or x.begin_held and ${wasRefused('x')})
       and ${inGroup('x.user_id', '$2')}
     order by b.decision is not null, ${nameKey('u.user_name')}, u.id, x.number, b.received_at, b.stream`,
    [test.id, groupId ?? null, test.ownerId],
  );
  const items = found.map(({ defaultStream, ...row }) => ({
    ...row,
    isOtherDevice: isOfOtherDevice({ defaultStream }, row),
    begunAt: row.begunAt.toISOString(),
    deadline: row.deadline.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    seenServerAt: row.seenServerAt?.toISOString() ?? null,
  }));
  return { items, total: items.length };
}

interface By {
  readonly at: Date;
  readonly actorId: string;
}

/** Begins arrive, and colleagues decide, while the teacher reads: a decision is about what was on the screen. */
async function refuseUnlessShown(
  client: PoolClient,
  attempts: readonly Attempt[],
  shown: NonNullable<BodyOf<typeof decideHolds>['shown']>,
): Promise<void> {
  type Begin = (typeof shown)[number];
  const present = await rows<Begin>(
    client,
    'select stream, decision from begins where attempt_id = any($1) and hold is not null',
    [attempts.map(({ id }) => id)],
  );
  const keysOf = (begins: readonly Begin[]) =>
    begins.map(({ stream, decision }) => `${stream}/${decision}`).toSorted();
  if (!isDeepStrictEqual(keysOf(present), keysOf(shown)))
    throw new Refusal('STALE_VERSION', {
      message: 'Список начал тем временем изменился. Посмотрите его и решите снова',
    });
}

/** Decides held begins of a test, all or none. Another decision later replaces the first. */
export function decideBegins(
  deps: Deps,
  test: TaughtTest,
  { attemptIds, decision, shown }: BodyOf<typeof decideHolds>,
  by: By,
): Promise<ReplyOf<typeof decideHolds>> {
  return transaction(deps.pool, async (client) => {
    await lockRescoring(client, test.id);
    const attempts = await rows<Attempt>(
      client,
      `select ${ATTEMPT_COLUMNS} from attempts
       where test_id = $1 and id = any($2) and exists (
         select 1 from begins b where b.attempt_id = attempts.id and b.hold is not null)
       order by id for update`,
      [test.id, attemptIds],
    );
    if (attempts.length === 0) throw new Refusal('NOT_FOUND');
    if (shown) await refuseUnlessShown(client, attempts, shown);
    const decide = decision === 'accept' ? accept : refuse;
    const acts: Act[] = [];
    for (const attempt of attempts)
      if (await decide(client, attempt, by))
        acts.push(
          actOnAttempt(attempt, {
            actorId: by.actorId,
            act: 'beginDecided',
            details: { decision },
          }),
        );
    await recordActs(client, deps, acts, by.at);
    return { decided: acts.length };
  });
}

/** Whether a begin is not the one that made its attempt. */
const isOfOtherDevice = (
  { defaultStream }: Pick<Attempt, 'defaultStream'>,
  { stream, hold }: { readonly stream: string; readonly hold: string },
): boolean => hold === 'secondDevice' || (hold === 'proof' && stream !== defaultStream);

/** What was refused together with other late answers, before anybody decided on its begin, is judged by its time. */
const forgetRefusals = (client: PoolClient, attemptId: string): Promise<number> =>
  execute(
    client,
    `update operations o set decision = null, decided_by = null, decided_at = null
     from begins b
     where o.attempt_id = $1 and o.outcome = 'held' and o.decision = 'refused'
       and b.attempt_id = o.attempt_id and b.stream = o.stream
       and b.hold is not null and b.decision is null`,
    [attemptId],
  );

/** The streams become known, and what was held because they were not is judged by its time. */
async function accept(client: PoolClient, attempt: Attempt, { at, actorId }: By): Promise<boolean> {
  // Before the decision: it asks for the last one.
  await execute(
    client,
    `update attempts x set deleted_at = null where id = $1 and begin_held and ${wasRefused('x')}`,
    [attempt.id],
  );
  await forgetRefusals(client, attempt.id);
  const begins = await rows<{ stream: string; hold: string; begunAt: Date }>(
    client,
    `update begins b set decision = 'accept', decided_by = $2, decided_at = $3
     where attempt_id = $1 and hold is not null and decision is distinct from 'accept'
       and ${inQuestion('b', '$4')}
     returning stream, hold, begun_at as "begunAt"`,
    [attempt.id, actorId, at, attempt.isHeld],
  );
  if (begins.length === 0) return false;
  await execute(client, 'update attempts set begin_held = false where id = $1', [attempt.id]);
  const others = begins.filter((begin) => isOfOtherDevice(attempt, begin));
  const first = begins.filter((begin) => !others.includes(begin));
  for (const { stream, begunAt } of [...first, ...others]) {
    const beganAt = begunAt < attempt.startedAt ? begunAt : attempt.startedAt;
    await addStream(client, attempt.id, stream, 1, at, beganAt);
  }
  await rejudgeLate(client, attempt);
  if (await applyEarlyFinish(client, attempt.id, at)) return true;
  const isOver = attempt.ended !== null;
  await closeIfDue(client, attempt, at);
  if (isOver) await rescore(client, attempt, 'held:accepted', at, actorId);
  return true;
}

/**
 * The attempt leaves as by a teacher's deletion: its journal stays, and it may be accepted later. Beside a first device that
 * counts, another one alone is refused: what counted of it stands, and its stream is unknown again.
 */
async function refuse(client: PoolClient, attempt: Attempt, { at, actorId }: By): Promise<boolean> {
  const refused = await rows<{ stream: string; hold: string }>(
    client,
    `update begins b set decision = 'refuse', decided_by = $2, decided_at = $3
     where attempt_id = $1 and hold is not null and ${inQuestion('b', '$5')}
       and (decision is null
         -- the owner of the attempt takes the first one's place
         or decision = 'accept' and not (hold = 'secondDevice' and stream = $4))
     returning stream, hold`,
    [attempt.id, actorId, at, attempt.activeStream, attempt.isHeld],
  );
  const others = refused.filter((begin) => isOfOtherDevice(attempt, begin));
  await execute(client, 'delete from streams where attempt_id = $1 and id = any($2) and id <> $3', [
    attempt.id,
    others.map(({ stream }) => stream),
    attempt.activeStream,
  ]);
  if (others.length === refused.length) return refused.length > 0;
  await execute(
    client,
    `update attempts set deleted_at = coalesce(deleted_at, $2), begin_held = true where id = $1`,
    [attempt.id, at],
  );
  return true;
}
