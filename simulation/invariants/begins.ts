import type { BeginFact, StoredBegin, StudentEvidence } from '#simulation/evidence.ts';

/** What a student may rely on who begins without a network, and what nobody gains by it. */

/** Rounding of dates, and transit. */
const SLACK_MS = 5_000;
const GRACE_MS = 60_000;

interface Pair {
  readonly begin: BeginFact;
  readonly stored: StoredBegin;
}

const pairs = ({ begins, storedBegins }: StudentEvidence): Pair[] =>
  storedBegins.flatMap((stored) => {
    const begin = begins.find(({ stream }) => stream === stored.stream);
    return begin ? [{ begin, stored }] : [];
  });

/** The clock of the device or of the server was set between the begin and its receipt: its age proves little. */
function isAgeDoubtful(evidence: StudentEvidence, { begin, stored }: Pair): boolean {
  const isSet = evidence.clockChanges.some(
    ({ device, at }) => device === begin.device && at >= begin.schoolAt && at <= stored.receivedAt,
  );
  return isSet || evidence.schoolClockSteps.some(({ at }) => at >= begin.at);
}

/** A begin that its device stored reaches the server, as one attempt. */
export function beginIsStored(evidence: StudentEvidence): string[] {
  const attempts = new Set(evidence.attempts.map(({ attemptId }) => attemptId));
  return evidence.begins
    .filter(({ killed, device, stream }) => {
      const isGone = evidence.lostDevices.has(device) || evidence.wipedStreams.has(stream);
      return !killed && !isGone && evidence.restores.length === 0;
    })
    .filter(
      ({ offerId, stream }) =>
        !attempts.has(offerId) ||
        !evidence.storedBegins.some((one) => one.attemptId === offerId && one.stream === stream),
    )
    .map(({ offerId, device }) => `the begin of ${offerId} on ${device} is nowhere`);
}

/**
 * An attempt ends at the latest when its time is over, counted from its true begin. A begin of unknown age counts from
 * the code's first showing: nothing tells the server that its student knew the code before.
 */
export function noMinuteGained(evidence: StudentEvidence): string[] {
  return pairs(evidence).flatMap((pair) => {
    const { begin, stored } = pair;
    const attempt = evidence.attempts.find(({ attemptId }) => attemptId === stored.attemptId);
    const test = evidence.tests.find(({ testId }) => testId === begin.testId);
    if (!attempt || !test || stored.hold !== null || attempt.recovered) return [];
    if (evidence.moved.has(attempt.attemptId) || isAgeDoubtful(evidence, pair)) return [];
    const shownAt = stored.ageMs === null ? (stored.codeShownAt ?? 0) : 0;
    const gained = attempt.deadline - (Math.max(begin.schoolAt, shownAt) + test.passMs);
    return gained > SLACK_MS ? [`${attempt.attemptId} gains ${gained} ms`] : [];
  });
}

/** Whether the evidence speaks against a begin for this reason. */
function isJust(evidence: StudentEvidence, pair: Pair, hold: string): boolean {
  const { begin, stored } = pair;
  const { attemptId, codeShownAt } = stored;
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
    case 'otherAttempt':
    case 'noAttemptsLeft':
      return evidence.attempts.some(
        (one) =>
          one.attemptId !== attemptId && one.userId === begin.user && one.testId === begin.testId,
      );
    case 'replacedOffer':
      return stored.isReplaced;
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

/** A begin before the code was shown does not count. */
export const earlyBeginIsHeld = (evidence: StudentEvidence): string[] =>
  pairs(evidence)
    .filter((pair) => {
      const { begin, stored } = pair;
      if (stored.hold !== null || isAgeDoubtful(evidence, pair)) return false;
      const { codeShownAt, ageMs } = stored;
      const isEarly = codeShownAt === null || begin.schoolAt < codeShownAt - GRACE_MS - SLACK_MS;
      // With an unknown age it counts from the first showing.
      return isEarly && (ageMs !== null || codeShownAt === null);
    })
    .map(({ stored }) => `${stored.attemptId} counts and began before the code`);

/** Nothing of an offer can be read without the code and the device's key. */
export const offersAreSealed = ({ offers }: StudentEvidence): string[] =>
  offers
    .filter(({ isReadable }) => isReadable)
    .map(({ offerId }) => `questions of ${offerId} lie open on the device`);
