import type { PoolClient } from 'pg';
import type { InferOutput } from 'valibot';
import { HEADER, type StartHeaders } from '#contract/headers.ts';
import type { BeginHold } from '#contract/offers.ts';
import {
  beginMoment,
  judgeBegin,
  offlineWindowMs,
  type BeginVerdict,
  type MomentFacts,
} from '#domain/offline-begin.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { execute, one, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { invalid } from '#server/http/refusal.ts';
import { ATTEMPT_COLUMNS, lockAttempt, type Attempt } from '#server/passing/attempt.ts';
import { rejudgeLate } from '#server/passing/extend.ts';
import { applyEarlyFinish } from '#server/passing/finish.ts';
import { assertInvariant } from '#server/passing/invariant.ts';
import { adoptStrays, lockStrays } from '#server/passing/recover.ts';
import { settleStart, type Journalled, type StartResult } from '#server/passing/start.ts';
import { addStream } from '#server/passing/streams.ts';
import { isTrialOf } from '#server/passing/trial.ts';
import { allowedAttempts, mayTake, testFacts, type TestAccess } from '#server/tests/access.ts';
import { isRightProof } from './offer-crypto.ts';
import { readOfferCode, readStudentCode, type OfferCode, type StoredCode } from './start-code.ts';

interface Begin {
  readonly deps: Deps;
  readonly caller: AuthenticatedUser;
  readonly testId: string;
  readonly offerId: string;
  readonly stream: string;
  readonly proof: string;
  readonly ageMs: number | 'unknown';
  readonly seenServerTime: Date | null;
  readonly now: Date;
  /** A handover brought it, so that its arrival is no contact of its device. */
  readonly byHandover: boolean;
}

interface BegunOffer {
  readonly id: string;
  readonly sourceId: string;
  readonly contentId: string;
  readonly passSeconds: number;
  /** 1970: it named none, so the test was open; null: it is not known. */
  readonly opensAt: Date | null;
  readonly endsAt: Date | null;
  readonly codeId: string | null;
  readonly codeVersion: number;
  readonly madeAt: Date;
  readonly replacedAt: Date | null;
}

/** What a begin must carry beside its offer. */
const NEEDED = [HEADER.stream, HEADER.offerProof, HEADER.idempotencyKey] as const;

function readHeaders(headers: InferOutput<typeof StartHeaders>) {
  const missing = NEEDED.filter((name) => headers[name] === undefined);
  const wrong = headers[HEADER.takeOver] === undefined ? missing : [...missing, HEADER.takeOver];
  const { [HEADER.stream]: stream, [HEADER.offerProof]: proof, [HEADER.offer]: offerId } = headers;
  const key = headers[HEADER.idempotencyKey];
  if (wrong.length > 0 || !stream || !proof || !key || !offerId)
    throw invalid(
      wrong.map((field) => ({ field, message: 'Начало без сети пришло неполным. Повторите' })),
    );
  return { stream, proof, key, offerId };
}

/**
 * The begin of an offer without a network, sent later (server rule 12). Repeats have no further effect.
 */
export async function begin(
  deps: Deps,
  caller: AuthenticatedUser,
  testId: string,
  headers: InferOutput<typeof StartHeaders>,
  { now, byHandover }: Pick<Begin, 'now' | 'byHandover'>,
): Promise<StartResult> {
  const { key, ...given } = readHeaders(headers);
  const { stream, offerId } = given;
  const seen = headers[HEADER.seenServerTime];
  const request: Begin = {
    ...given,
    deps,
    caller,
    testId,
    now,
    byHandover,
    ageMs: headers[HEADER.age] ?? 'unknown',
    seenServerTime: seen === undefined ? null : new Date(seen),
  };
  const fingerprint = [testId, stream, `offer:${offerId}`].join('/');
  const result = await settleStart(deps, caller, { testId, key, fingerprint, now }, (client) =>
    decide(client, request),
  );
  const hold = await holdOf(deps.pool, result.reply.userTestId, stream);
  return hold === null ? result : { ...result, reply: { ...result.reply, beginHold: hold } };
}

/** Why the begin of a stream waits or was refused; null: it counts. */
async function holdOf(db: Client, attemptId: string, stream: string): Promise<BeginHold | null> {
  const held = await one<{ hold: BeginHold | null }>(
    db,
    `select hold from begins
     where attempt_id = $1 and stream = $2 and decision is distinct from 'accept'`,
    [attemptId, stream],
  );
  return held?.hold ?? null;
}

async function decide(client: PoolClient, request: Begin): Promise<Journalled> {
  const { caller, testId, offerId, stream } = request;
  const attempt = await lockAttempt(client, offerId, 'update');
  if (attempt && (attempt.userId !== caller.userId || attempt.testId !== testId))
    return { code: 'UNKNOWN_OFFER' };
  const offer = await one<BegunOffer>(
    client,
    `select id, source_id as "sourceId", content_id as "contentId", code_id as "codeId",
       code_version as "codeVersion", (terms ->> 'passSeconds')::integer as "passSeconds",
       case when terms ? 'opensAt' then coalesce((terms ->> 'opensAt')::timestamptz, 'epoch') end
         as "opensAt", (terms ->> 'endsAt')::timestamptz as "endsAt",
       made_at as "madeAt", replaced_at as "replacedAt"
     from offers where id = $1 and user_id = $2 and test_id = $3`,
    [offerId, caller.userId, testId],
  );
  // A deleted attempt may come back, so it takes begins too; the reply says that it is gone.
  if (attempt) return beginAgain(client, request, { attempt, offer });
  // Locked until the attempt is stored, as at a start.
  await client.query('select 1 from tests where id = $1 for share', [testId]);
  const test = offer && (await testFacts(client, caller.userId, testId));
  if (!offer || !test) return { code: 'UNKNOWN_OFFER' };
  await create(client, request, { offer, test });
  return { attemptId: offerId, stream, epoch: 1 };
}

const isProven = ({ deps, offerId, stream, proof }: Begin) =>
  isRightProof(deps.state.sealKey, { offerId, stream, proof });

/** Neither a later opening than the offer named binds its student, nor one that was moved away since. */
function openingOf(test: TestAccess | null, offer: BegunOffer | null): Date | null {
  const present = test?.startTime ?? null;
  const named = offer?.opensAt ?? null;
  return present !== null && named !== null && named < present ? named : present;
}

const momentFacts = (
  { ageMs, seenServerTime, now }: Begin,
  offered: { madeAt: Date; code: Pick<OfferCode, 'shownAt'> | null; opensAt: Date | null },
): MomentFacts => ({
  arrival: {
    receivedAt: now.getTime(),
    ageMs,
    seenServerTime: seenServerTime?.getTime() ?? null,
  },
  offerMadeAt: offered.madeAt.getTime(),
  codeShownAt: offered.code?.shownAt?.getTime() ?? null,
  opensAt: offered.opensAt?.getTime() ?? null,
});

/** More devices than open one offer honestly. */
const MAX_BEGINS = 60;

/** The attempt exists: the same device repeats its begin, or another one opened the same offer. */
async function beginAgain(
  client: PoolClient,
  request: Begin,
  { attempt, offer }: { attempt: Attempt; offer: BegunOffer | null },
): Promise<Journalled> {
  const { caller, stream } = request;
  const own = await one<{ epoch: number }>(
    client,
    'select epoch from streams where attempt_id = $1 and id = $2',
    [attempt.id, stream],
  );
  const known = await rows<{ stream: string }>(
    client,
    'select stream from begins where attempt_id = $1',
    [attempt.id],
  );
  const isNew = !own && known.every((one) => one.stream !== stream);
  if (isNew && known.length >= MAX_BEGINS) return { code: 'TOO_MANY_TAKE_OVERS' };
  // Its stream stays unknown, so what it sends is held.
  if (isNew) {
    const test = await testFacts(client, caller.userId, attempt.testId);
    const code =
      (offer && (await readOfferCode(client, offer))) ??
      (await readStudentCode(client, attempt.testId, caller.userId));
    // A restore may have lost the offer.
    const madeAt = offer?.madeAt ?? attempt.startedAt;
    const moment = momentFacts(request, { madeAt, code, opensAt: openingOf(test, offer) });
    await storeBegin(client, request, {
      codeId: offer?.codeId ?? null,
      codeVersion: offer?.codeVersion ?? 0,
      begunAt: new Date(beginMoment(moment)),
      hold: isProven(request) ? 'secondDevice' : 'proof',
    });
  }
  return { attemptId: attempt.id, stream, epoch: own?.epoch ?? 1 };
}

async function storeBegin(
  client: PoolClient,
  { offerId, stream, ageMs, seenServerTime, now }: Begin,
  begun: Pick<BegunOffer, 'codeId' | 'codeVersion'> & { begunAt: Date; hold: BeginHold | null },
): Promise<void> {
  await execute(
    client,
    `insert into begins (attempt_id, stream, code_id, code_version, received_at, begun_at, age_ms,
       seen_server_at, hold)
     values ($1, $2, (select id from start_codes where id = $3), $4, $5, $6, $7, $8, $9)
     on conflict do nothing`,
    [
      offerId,
      stream,
      begun.codeId,
      begun.codeVersion,
      now,
      begun.begunAt,
      ageMs === 'unknown' ? null : ageMs,
      seenServerTime,
      begun.hold,
    ],
  );
}

/** The content that a corrected key put in the place of one. */
async function correctedContent(client: PoolClient, contentId: string): Promise<string> {
  const found = await one<{ id: string }>(
    client,
    `with recursive chain as (
       select id, corrected_to from test_contents where id = $1
       union select c.id, c.corrected_to from test_contents c join chain on c.id = chain.corrected_to
     ) select id from chain where corrected_to is null`,
    [contentId],
  );
  return found?.id ?? contentId;
}

/** From when a student's own code is another than that of an offer; Infinity: it is not, 0: for ever. */
function otherCodeFrom(ofOffer: OfferCode | null, own: StoredCode | null): number {
  if (ofOffer === null || own === null) return 0;
  const replacedAt = ofOffer.replacedAt?.getTime() ?? Infinity;
  if (ofOffer.id === own.id) return replacedAt;
  // When a student came from another class is not recorded.
  if (ofOffer.groupId !== null) return 0;
  // The test's code was right until the class got its own.
  return own.groupId === null ? replacedAt : Math.min(replacedAt, own.createdAt.getTime());
}

/** From when other questions are in the place of those of a content; Infinity: at most a key was corrected. */
async function changedFrom(
  client: PoolClient,
  sourceId: string,
  { id, contentId }: TestAccess,
): Promise<number> {
  if ((await correctedContent(client, sourceId)) === contentId) return Infinity;
  const newer = await one<{ at: Date | null }>(
    client,
    `select min(c.created_at) as at from test_contents c join test_contents source on source.id = $2
     where c.test_id = $1 and (c.id = $3
       or c.created_at > source.created_at and c.drawn_number is null
         and not exists (select from test_contents o where o.corrected_to = c.id))`,
    [id, sourceId, contentId],
  );
  return newer?.at?.getTime() ?? Infinity;
}

/** From when another offer, code or content is in the place of this offer's; null: none is. */
async function replacedFrom(
  client: PoolClient,
  offer: BegunOffer,
  test: TestAccess,
  byCode: number,
): Promise<number | null> {
  if (byCode === 0) return 0;
  const byOffer = offer.replacedAt?.getTime() ?? Infinity;
  const from = Math.min(byCode, byOffer, await changedFrom(client, offer.sourceId, test));
  return from === Infinity ? null : from;
}

/** Judges the begin by everything that the server knows. */
async function judge(
  client: PoolClient,
  request: Begin,
  { offer, test }: { offer: BegunOffer; test: TestAccess },
): Promise<BeginVerdict> {
  const { caller } = request;
  const code = await readOfferCode(client, offer);
  const own = await readStudentCode(client, test.id, caller.userId);
  // Ended or not, an attempt takes nobody's time after its deadline.
  const others = await rows<{ end: Date }>(
    client,
    `select least(ended_at, deadline) as "end" from attempts
     where test_id = $1 and user_id = $2 and deleted_at is null`,
    [test.id, caller.userId],
  );
  return judgeBegin({
    ...momentFacts(request, {
      madeAt: offer.madeAt,
      code: code ?? own,
      opensAt: openingOf(test, offer),
    }),
    replacedAt: await replacedFrom(client, offer, test, otherCodeFrom(code, own)),
    endsAt: test.endTime?.getTime() ?? null,
    // At least the time that the offer promised.
    promisedEndsAt: offer.endsAt?.getTime() ?? null,
    passMs: Math.max(offer.passSeconds, test.passSeconds + test.extraSeconds) * 1000,
    extraMs: 0,
    isProofRight: isProven(request),
    isTestClosed: !mayTake(test),
    attemptsLeft: allowedAttempts(test) - others.length,
    otherEnds: others.map(({ end }) => end.getTime()),
  });
}

/** Stores the attempt in any case. A held one has no stream yet, so whatever arrives for it is held. */
async function create(
  client: PoolClient,
  request: Begin,
  context: { offer: BegunOffer; test: TestAccess },
): Promise<void> {
  const { deps, caller, offerId, stream, now, byHandover } = request;
  const { offer, test } = context;
  const { begunAt, deadline, hold } = await judge(client, request, context);
  assertInvariant(deadline >= begunAt, 'an attempt does not end before it starts');
  const offlineMs = test.offlineWindowSeconds === null ? null : test.offlineWindowSeconds * 1000;
  const windowMs = offlineWindowMs(
    deadline,
    { windowMs: test.windowSeconds * 1000, offlineMs },
    deps.settings.schoolTimezone,
  );
  // Serialized with answers that arrive at the same time, before their attempt.
  await lockStrays(client, offerId);
  const attempt = await one<Attempt>(
    client,
    `insert into attempts (id, test_id, user_id, content_id, number, started_at, deadline,
       late_window_seconds, default_stream, active_stream, active_epoch, trial, begin_held)
     select $1, $2, $3, $4, coalesce(max(number), 0) + 1, $5, $6, $7, $8, $8, 0, $9, $10
     from attempts where test_id = $2 and user_id = $3
     returning ${ATTEMPT_COLUMNS}`,
    [
      offerId,
      test.id,
      caller.userId,
      await correctedContent(client, offer.contentId),
      new Date(begunAt),
      new Date(deadline),
      Math.ceil(windowMs / 1000),
      stream,
      isTrialOf(caller),
      hold !== null,
    ],
  );
  assertInvariant(attempt !== null, 'a begin makes its attempt');
  const { codeId, codeVersion } = offer;
  const begun = { codeId, codeVersion, begunAt: new Date(begunAt), hold };
  await storeBegin(client, request, begun);
  await adoptStrays(client, attempt);
  if (hold !== null) return;
  const lastHeardAt = byHandover ? begun.begunAt : now;
  const isOwner = await addStream(client, offerId, stream, 1, lastHeardAt, begun.begunAt);
  assertInvariant(isOwner, 'the first stream of an attempt owns it');
  await rejudgeLate(client, attempt);
  await applyEarlyFinish(client, offerId, now);
}
