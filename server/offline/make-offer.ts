import type { PoolClient } from 'pg';
import type { ErrorCode } from '#contract/errors.ts';
import type { Offer } from '#contract/offers.ts';
import { formatDuration } from '#domain/duration.ts';
import { languageOf } from '#domain/languages.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { type AuthenticatedUser, lockCaller } from '#server/auth/caller.ts';
import { execute, one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { refuseOlderApp } from '#server/older-apps.ts';
import { lockStarts } from '#server/passing/attempt.ts';
import { loadContent } from '#server/passing/content.ts';
import { drawNext } from '#server/passing/draws.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import { allowedAttempts, mayTake, readableTest, type TestAccess } from '#server/tests/access.ts';
import { encryptContent, wrapKey } from './offer-crypto.ts';
import { filesOf } from './offer-files.ts';
import { CODE_COST, ensureCode, readStudentCode, type StoredCode } from './start-code.ts';

/** An offer as stored: everything secret is derived again. */
interface StoredOffer {
  readonly id: string;
  readonly contentId: string;
  readonly number: number;
  readonly madeAt: Date;
}

interface Prepared {
  readonly test: TestAccess;
  readonly offer: StoredOffer;
  readonly code: StoredCode;
}

const dateOf = (at: Date | null) => at?.toISOString() ?? null;

/** Whatever makes a new offer when it changes, beside the content, the code and the number. */
const termsOf = (test: TestAccess) => ({
  passSeconds: test.passSeconds + test.extraSeconds,
  opensAt: dateOf(test.startTime),
  endsAt: dateOf(test.endTime),
  windowSeconds: test.windowSeconds,
  offlineWindowSeconds: test.offlineWindowSeconds,
  attemptsCount: allowedAttempts(test),
});

/** Why the student gets no offer; null: the student may have one. */
function refusalOf(test: TestAccess, now: Date): ErrorCode | null {
  if (!mayTake(test)) return test.lifecycle === 'active' ? 'FORBIDDEN' : 'TEST_CLOSED';
  if (!test.offlineStart) return 'OFFLINE_START_OFF';
  if (test.endTime && now >= test.endTime) return 'TEST_CLOSED';
  return test.contentId === null || test.questionCount === 0 ? 'TEST_EMPTY' : null;
}

/** @throws {Refusal} unless the test may begin without a network and is for this student */
export function refuseOffer(test: TestAccess, now: Date): void {
  const refusal = refusalOf(test, now);
  if (refusal) throw new Refusal(refusal);
}

/** The number of the next attempt, while the student may make one and none runs. */
async function nextNumber(
  client: PoolClient,
  test: TestAccess,
  userId: string,
  now: Date,
): Promise<number> {
  const made = await one<{ count: number; last: number; running: number }>(
    client,
    `select count(*) filter (where deleted_at is null) as count,
       count(*) filter (where deleted_at is null and ended is null and deadline > $3) as running,
       coalesce(max(number), 0) as last
     from attempts where test_id = $1 and user_id = $2`,
    [test.id, userId, now],
  );
  if (!made) throw new Error('a count returns a row');
  if (made.running > 0)
    throw new Refusal('ATTEMPT_RUNNING', {
      message: 'Этот тест сейчас идёт. Следующая попытка готовится после него',
    });
  if (made.count >= allowedAttempts(test)) throw new Refusal('NO_ATTEMPTS_LEFT');
  return made.last + 1;
}

/** The present offer if nothing has changed, otherwise a new one in its place. */
async function currentOffer(
  client: PoolClient,
  deps: Deps,
  { test, code, userId, now }: { test: TestAccess; code: StoredCode; userId: string; now: Date },
): Promise<StoredOffer> {
  const number = await nextNumber(client, test, userId, now);
  const terms = JSON.stringify(termsOf(test));
  const present = await one<StoredOffer & { isSame: boolean }>(
    client,
    `select id, content_id as "contentId", number, made_at as "madeAt",
       source_id = $3 and code_id is not distinct from $7 and code_version = $4 and number = $5
         and terms = $6 as "isSame"
     from offers where test_id = $1 and user_id = $2 and replaced_at is null`,
    [test.id, userId, test.contentId, code.version, number, terms, code.id],
  );
  if (present?.isSame) return present;
  const sourceId = test.contentId ?? '';
  const contentId = await drawNext(client, deps, sourceId);
  if (present)
    await execute(client, 'update offers set replaced_at = $2 where id = $1', [present.id, now]);
  const offer = { id: deps.newId(), contentId, number, madeAt: now };
  await execute(
    client,
    `insert into offers (id, test_id, user_id, source_id, content_id, number, terms, code_id,
       code_version, made_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [offer.id, test.id, userId, sourceId, contentId, number, terms, code.id, code.version, now],
  );
  return offer;
}

/** The student's own next attempt, encrypted: the same offer until something changes. */
export async function makeOfferFor(
  deps: Deps,
  { caller, wireVersion }: { caller: AuthenticatedUser; wireVersion: number },
  testId: string,
  now: Date,
): Promise<Offer> {
  const { userId } = caller;
  /** Null: the test has no code yet. */
  const prepare = () =>
    transaction(deps.pool, async (client): Promise<Prepared | null> => {
      await lockCaller(client, userId);
      await lockStarts(client, testId, userId);
      // The test before its code, as a deletion locks them.
      await client.query('select 1 from tests where id = $1 for key share', [testId]);
      const code = await readStudentCode(client, testId, userId);
      const test = await readableTest(client, caller, testId);
      if (!test) throw new Refusal('NOT_FOUND');
      refuseOffer(test, now);
      if (!code) return null;
      return { test, code, offer: await currentOffer(client, deps, { test, code, userId, now }) };
    });
  let prepared = await prepare();
  if (!prepared) {
    await ensureCode(deps, { testId, groupId: null }, now);
    prepared = await prepare();
  }
  if (!prepared) throw new Refusal('NOT_FOUND');
  return sealOffer(deps, prepared, { userId, wireVersion });
}

async function sealOffer(
  { pool, state, addedContent }: Deps,
  { test, offer, code }: Prepared,
  { userId, wireVersion }: { userId: string; wireVersion: number },
): Promise<Offer> {
  const { sealKey } = state;
  const content = await loadContent(pool, offer.contentId);
  refuseOlderApp({ addedContent }, content.questions, wireVersion);
  const rank = attemptRank(state, offer.id);
  const questions = content.questions.map((question) => studentQuestion(question, rank));
  const { passSeconds, opensAt, endsAt } = termsOf(test);
  const { windowSeconds, offlineWindowSeconds } = test;
  return {
    offerId: offer.id,
    testId: test.id,
    title: test.name,
    language: languageOf(test),
    attemptNumber: offer.number,
    attemptsCount: allowedAttempts(test),
    totalQuestions: questions.length,
    duration: formatDuration(passSeconds * 1000),
    opensAt,
    endsAt,
    lateWindow: formatDuration(windowSeconds * 1000),
    offlineWindow:
      offlineWindowSeconds === null ? null : formatDuration(offlineWindowSeconds * 1000),
    madeAt: offer.madeAt.toISOString(),
    code: { salt: code.salt.toString('base64url'), ...CODE_COST },
    wrappedKey: wrapKey({ sealKey, codeKey: code.codeKey }, { offerId: offer.id, userId }),
    content: encryptContent(sealKey, offer.id, { questions }),
    files: await filesOf(pool, questions),
  };
}
