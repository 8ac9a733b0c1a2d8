import type { BeginFact, JournalRow, StoredBegin, StudentEvidence } from '#simulation/evidence.ts';
import { countingRows, filesOf } from './finish.ts';
import { isBeginGone } from './order.ts';
import { closesAt, isBeginStale } from './time.ts';

/** What a student may rely on who begins without a network, and what nobody gains by it. */

/** Rounding of dates, and transit. */
const SLACK_MS = 5_000;
const GRACE_MS = 60_000;

interface Pair {
  readonly begin: BeginFact;
  readonly stored: StoredBegin;
}

/** Begins of opened offers. */
const pairs = ({ begins, storedBegins }: StudentEvidence): Pair[] =>
  storedBegins.flatMap((stored) => {
    const begin = begins.find(({ stream }) => stream === stored.stream);
    return begin && begin.code !== null ? [{ begin, stored }] : [];
  });

/**
 * By how much clocks were set between the begin and its receipt: its age may be wrong by so much. The time of a handover on
 * its way is reckoned from a clock that may have been set before.
 */
function clockSetMs(evidence: StudentEvidence, { begin, stored }: Pair): number {
  const { clockChanges, schoolClockSteps, handedOver } = evidence;
  const from = handedOver.size > 0 ? 0 : begin.schoolAt;
  const isUnclear = schoolClockSteps.some(({ at }) => at >= begin.at);
  if (isUnclear || isBeginStale(evidence, stored)) return Infinity;
  return clockChanges
    .filter(({ device }) => device === begin.device)
    .filter(({ at }) => at >= from && at <= stored.receivedAt)
    .reduce((sum, { by }) => sum + Math.abs(by), 0);
}

const isAgeDoubtful = (evidence: StudentEvidence, pair: Pair): boolean =>
  clockSetMs(evidence, pair) > 0;

/** When the code of a begin was shown first; null: never. */
function shownAtOf({ school }: StudentEvidence, { testId, code }: BeginFact): number | null {
  const times = school.showings
    .filter((one) => one.testId === testId && one.code === code)
    .map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times);
}

const counts = ({ hold, decision }: StoredBegin): boolean => hold === null || decision === 'accept';

/** A begin that its device stored reaches the server, as one attempt; after a restore too, if its offer is known. */
export function beginIsStored(evidence: StudentEvidence): string[] {
  const attempts = new Map(evidence.attempts.map((one) => [one.attemptId, one]));
  return evidence.begins
    .filter(({ killed, device, stream, offerId }) => {
      const isGone = evidence.lostDevices.has(device) || evidence.wipedStreams.has(stream);
      const isKnown = evidence.restores.length === 0 || evidence.knownOffers.has(offerId);
      return (
        !killed && !isGone && isKnown && !isBeginGone(evidence, { attemptId: offerId, stream })
      );
    })
    .filter(({ offerId, stream, code }) => {
      const attempt = attempts.get(offerId);
      // A made-up begin is not repeated.
      if ((attempt && attempt.recoveredAt !== null) || code === null) return false;
      const isStored = evidence.storedBegins.some(
        (one) => one.attemptId === offerId && one.stream === stream,
      );
      return attempt === undefined || !isStored;
    })
    .map(({ offerId, device }) => `the begin of ${offerId} on ${device} is nowhere`);
}

/** Each begin on the server is one that a student made, for that offer. */
export const noBeginInvented = ({ begins, storedBegins }: StudentEvidence): string[] =>
  storedBegins
    .filter(({ attemptId, stream }) =>
      begins.every((one) => one.offerId !== attemptId || one.stream !== stream),
    )
    .map(({ attemptId, stream }) => `${attemptId} began as ${stream}, which no device did`);

/**
 * An attempt ends at the latest when its time is over, counted from its true begin. A begin of unknown age counts from
 * the code's first showing: nothing tells the server that its student knew the code before.
 */
export function noMinuteGained(evidence: StudentEvidence): string[] {
  return pairs(evidence).flatMap((pair) => {
    const { begin, stored } = pair;
    const attempt = evidence.attempts.find(({ attemptId }) => attemptId === stored.attemptId);
    const test = evidence.tests.find(({ testId }) => testId === begin.testId);
    if (!attempt || !test || stored.hold !== null || attempt.recoveredAt !== null) return [];
    if (evidence.moved.has(attempt.attemptId)) return [];
    const shownAt = stored.ageMs === null ? (shownAtOf(evidence, begin) ?? 0) : 0;
    const timeMs = Math.max(begin.promisedMs, ...test.passTimes);
    const gained = attempt.deadline - (Math.max(begin.schoolAt, shownAt) + timeMs);
    const doubtMs = clockSetMs(evidence, pair);
    return gained > SLACK_MS + doubtMs ? [`${attempt.attemptId} gains ${gained} ms`] : [];
  });
}

/** Whoever begins has at least the time that the offer promised. */
export function promisedTimeStands(evidence: StudentEvidence): string[] {
  return pairs(evidence).flatMap((pair) => {
    const { begin, stored } = pair;
    const attempt = evidence.attempts.find(({ attemptId }) => attemptId === stored.attemptId);
    const test = evidence.tests.find(({ testId }) => testId === begin.testId);
    // A copied or restored profile reckons by the clock of another device or time.
    const isCopy = evidence.school.copiedTo.has(begin.device);
    const isUnclear = stored.ageMs === null || isCopy || isAgeDoubtful(evidence, pair);
    if (!attempt || isUnclear || attempt.recoveredAt !== null || stored.hold === 'secondDevice')
      return [];
    const fair = Math.min(begin.schoolAt + begin.promisedMs, test?.endsAt ?? Infinity);
    const missing = fair - attempt.deadline;
    return missing > SLACK_MS ? [`${attempt.attemptId} ends ${missing} ms too early`] : [];
  });
}

/** Whether a device may not know how much time has passed: its clock was set, perhaps before its last reply. */
const isClockDoubtful = (evidence: StudentEvidence, pair: Pair): boolean =>
  isAgeDoubtful(evidence, pair) ||
  evidence.school.copiedTo.has(pair.begin.device) ||
  evidence.clockChanges.some(
    ({ device, at }) => device === pair.begin.device && at <= pair.stored.receivedAt,
  );

/** A device with clocks that nobody set knows how long ago it began. */
export const ageIsReported = (evidence: StudentEvidence): string[] =>
  pairs(evidence)
    .filter((pair) => pair.stored.ageMs === null && !isClockDoubtful(evidence, pair))
    .map(({ stored }) => `${stored.attemptId} came without its age`);

/** Whether a test was archived when a begin arrived. */
function wasArchived({ school }: StudentEvidence, { begin, stored }: Pair): boolean {
  const before = school.archivings.findLast(
    ({ testId, at }) => testId === begin.testId && at <= stored.receivedAt,
  );
  return before?.isArchived === true;
}

/** Whether its code was replaced by another one before it began. A restore may bring the former code back. */
const isCodeReplaced = (
  { school, restores }: StudentEvidence,
  { begin }: Pair,
  slackMs: number,
): boolean =>
  restores.length === 0 &&
  school.renewals.some(({ code, at }) => code === begin.code && at <= begin.schoolAt + slackMs);

/** Whether the evidence speaks against a begin for this reason. */
function isJust(evidence: StudentEvidence, pair: Pair, hold: string): boolean {
  const { begin, stored } = pair;
  const { attemptId } = stored;
  const codeShownAt = shownAtOf(evidence, begin);
  const test = evidence.tests.find(({ testId }) => testId === begin.testId);
  const isDoubtful = isAgeDoubtful(evidence, pair) || stored.ageMs === null;
  switch (hold) {
    case 'beforeOffer':
      return isDoubtful;
    case 'beforeCode':
      return isDoubtful || codeShownAt === null || begin.schoolAt < codeShownAt;
    case 'afterEnd':
      return isDoubtful || begin.schoolAt + SLACK_MS > (test?.endsAt ?? Infinity);
    case 'unknownTime':
      return stored.ageMs === null;
    case 'testClosed':
      return wasArchived(evidence, pair);
    case 'otherAttempt':
    case 'noAttemptsLeft':
      return evidence.attempts.some(
        (one) =>
          one.attemptId !== attemptId && one.userId === begin.user && one.testId === begin.testId,
      );
    case 'replacedOffer':
      return (
        stored.isReplaced ||
        stored.ageMs === null ||
        isClockDoubtful(evidence, pair) ||
        isCodeReplaced(evidence, pair, SLACK_MS)
      );
    case 'secondDevice':
      return evidence.begins.some(
        (one) => one.offerId === attemptId && one.stream !== begin.stream,
      );
    default:
      return false;
  }
}

/** A begin in time counts without the teacher, as far as the evidence supports it. */
export const goodBeginCounts = (evidence: StudentEvidence): string[] =>
  pairs(evidence)
    .filter((pair) => {
      const { hold } = pair.stored;
      // A restore may lose the offer, the code's first showing, or the attempt.
      return hold !== null && evidence.restores.length === 0 && !isJust(evidence, pair, hold);
    })
    .map(({ stored }) => `${stored.attemptId} is held: ${stored.hold}`);

/** The teacher accepted it; a restore lost that, and receipts from before prove it. */
const isProvenAccepted = (evidence: StudentEvidence, { attemptId }: StoredBegin): boolean =>
  evidence.restores.length > 0 && evidence.school.accepted.has(attemptId);

/** A begin before the code was shown does not count. */
export const earlyBeginIsHeld = (evidence: StudentEvidence): string[] =>
  pairs(evidence)
    .filter((pair) => {
      const { begin, stored } = pair;
      if (stored.hold !== null || isProvenAccepted(evidence, stored)) return false;
      const shownAt = shownAtOf(evidence, begin);
      // With an unknown age it counts from the first showing.
      if (shownAt === null || stored.ageMs === null) return shownAt === null;
      const doubtMs = clockSetMs(evidence, pair);
      return begin.schoolAt < shownAt - GRACE_MS - SLACK_MS - doubtMs;
    })
    .map(({ stored }) => `${stored.attemptId} counts and began before the code`);

/** The offer of a code that was another one before its begin does not count by itself. */
export const oldCodeIsHeld = (evidence: StudentEvidence): string[] =>
  pairs(evidence)
    .filter((pair) => pair.stored.hold === null && isCodeReplaced(evidence, pair, -SLACK_MS))
    // With an unknown age it counts from the first showing.
    .filter((pair) => pair.stored.ageMs !== null && !isClockDoubtful(evidence, pair))
    .filter(({ stored }) => !isProvenAccepted(evidence, stored))
    .map(({ stored }) => `${stored.attemptId} counts and began with a former code`);

/** A begin of an offer that nobody opened does not count. */
export const madeUpBeginIsHeld = ({ begins, storedBegins }: StudentEvidence): string[] =>
  storedBegins
    .filter(
      ({ stream, hold }) =>
        hold === null && begins.some((one) => one.stream === stream && one.code === null),
    )
    .map(({ attemptId }) => `${attemptId} counts and was never opened`);

const rowsOf = ({ journal }: StudentEvidence, { attemptId, stream }: StoredBegin): JournalRow[] =>
  journal.filter((row) => row.attemptId === attemptId && row.stream === stream);

/** Stored while a begin counted, before a receipt proved after a restore that another device owns the attempt. */
const isFromBefore = (
  { attempts }: StudentEvidence,
  { attemptId, hold }: StoredBegin,
  { receivedAt }: JournalRow,
): boolean => {
  const recoveredAt = attempts.find((one) => one.attemptId === attemptId)?.recoveredAt ?? null;
  return hold === 'secondDevice' && recoveredAt !== null && receivedAt <= recoveredAt;
};

/** Nothing that a held begin's device writes counts before the teacher accepts the begin or the answer. */
export const heldCountsNothing = (evidence: StudentEvidence): string[] =>
  evidence.storedBegins
    .filter((begin) => !counts(begin) && !evidence.school.accepted.has(begin.attemptId))
    .flatMap((begin) =>
      rowsOf(evidence, begin)
        .filter(({ kind, outcome }) => kind === 'answer' && outcome !== 'held')
        .filter(({ decision }) => decision !== 'accepted')
        .filter((row) => !isFromBefore(evidence, begin, row))
        .map(({ operationId, outcome }) => `${operationId} is ${outcome}, its begin is held`),
    );

/** Whether the finish of a stream had everything below it when its begin came to count. */
function isWhole(
  rows: readonly JournalRow[],
  spares: readonly { readonly sequence: number }[],
  finish: JournalRow,
  from: number,
): boolean {
  const came = rows.filter(({ receivedAt }) => receivedAt <= from);
  const known = new Set([...came, ...spares].map(({ sequence }) => sequence));
  return Array.from({ length: (finish.sequence ?? 1) - 1 }, (_, i) => i + 1).every((one) =>
    known.has(one),
  );
}

/** By a deadline that was not there yet when it was written or came, for example by a clock that was set. */
function isTooEarly({ byDeadline, receivedAt, ageMs }: JournalRow, deadline: number): boolean {
  const isWrittenEarly = ageMs !== null && receivedAt - ageMs < deadline - GRACE_MS / 2;
  return byDeadline === true && (receivedAt < deadline || isWrittenEarly);
}

/** A finish that arrived before its begin counted ends the attempt when the begin does. */
export function earlyFinishEnds(evidence: StudentEvidence): string[] {
  if (evidence.restores.length > 0 || evidence.schoolClockSteps.length > 0) return [];
  return evidence.storedBegins.filter(counts).flatMap((begin) => {
    const attempt = evidence.attempts.find(({ attemptId }) => attemptId === begin.attemptId);
    const isUsual =
      attempt !== undefined &&
      !evidence.onceDeleted.has(attempt.attemptId) &&
      !evidence.moved.has(attempt.attemptId) &&
      attempt.streams.length === 1 &&
      attempt.files.every(({ complete, setAside }) => complete || setAside);
    if (!isUsual) return [];
    const rows = rowsOf(evidence, begin);
    const files = new Set(attempt.files.map(({ fileId }) => fileId));
    // Of a file that nobody brought in, or before its begin, the server knows nothing.
    const isMissing = countingRows(attempt, rows)
      .flatMap(filesOf)
      .some((id) => !files.has(id));
    if (isMissing) return [];
    const from = begin.decidedAt ?? begin.receivedAt;
    const finish = rows.findLast(
      (row) =>
        row.kind === 'finish' &&
        row.outcome !== 'refused' &&
        row.receivedAt <= from &&
        row.receivedAt < closesAt(attempt) &&
        !isTooEarly(row, attempt.deadline),
    );
    const spares = attempt.spares.filter(({ stream }) => stream === begin.stream);
    const isEnd = finish !== undefined && isWhole(rows, spares, finish, from);
    return isEnd && attempt.ended !== 'finished' ? [`${attempt.attemptId} ignores its finish`] : [];
  });
}

/** Nothing of an offer can be read without the code and the device's key. */
export const offersAreSealed = ({ offers, school }: StudentEvidence): string[] => [
  ...offers
    .filter(({ isReadable }) => isReadable)
    .map(({ offerId }) => `questions of ${offerId} lie open on the device`),
  ...school.unsealed,
];
