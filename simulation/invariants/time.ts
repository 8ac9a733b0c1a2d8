import type {
  AttemptFacts,
  JournalRow,
  StoredBegin,
  StudentEvidence,
  Write,
} from '#simulation/evidence.ts';
import { countingRows, isBeginGone } from './order.ts';

/** Time rules, recomputed from the true writing times. */

const SLACK_MS = 1_000;

const GRACE_MS = 60_000;

const graceEnd = (attempt: AttemptFacts): number => attempt.deadline + GRACE_MS;
export const closesAt = (attempt: AttemptFacts): number =>
  attempt.deadline + Math.max(attempt.windowMs, GRACE_MS);

/** The server's clock was set since the write: the age cannot yield the writing time. */
const isStepped = (evidence: StudentEvidence, write: Write): boolean =>
  evidence.schoolClockSteps.some(({ at }) => at >= write.at);

/** The device's clock was set between write and receipt: its age proves nothing. */
function isTampered(evidence: StudentEvidence, write: Write, until: number): boolean {
  const isSet = evidence.clockChanges.some(
    ({ device, at }) => device === write.device && at >= write.schoolAt && at <= until,
  );
  return isSet || isStepped(evidence, write);
}

/** A clock set back while no page was open may make an answer look younger than it is. */
function mayLookYounger(evidence: StudentEvidence, write: Write, until: number): boolean {
  const isSetBack = evidence.clockChanges.some(
    ({ device, at, by }) =>
      device === write.device && by < 0 && at >= write.schoolAt && at <= until,
  );
  return isSetBack || isStepped(evidence, write);
}

function isInTime(
  evidence: StudentEvidence,
  attempt: AttemptFacts,
  row: JournalRow,
  write: Write | undefined,
): boolean {
  if (row.decision === 'accepted' || row.receivedAt <= graceEnd(attempt)) return true;
  if (row.receivedAt > closesAt(attempt)) return false;
  if (row.ageMs === null || !write || isTampered(evidence, write, row.receivedAt)) return true;
  return write.schoolAt < graceEnd(attempt);
}

/** The latest deadline that ever applied: a restore may lose added minutes, but their receipts still count. */
function latestDeadline({ restores, moved }: StudentEvidence, attempt: AttemptFacts): number {
  const moves = restores.length > 0 ? (moved.get(attempt.attemptId) ?? []) : [];
  return Math.max(attempt.deadline, ...moves.map(({ to }) => to));
}

/** Nothing after the deadline is scored unless the late rule allows it. */
export function lateRule(evidence: StudentEvidence): string[] {
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.attempts.flatMap((attempt) => {
    const rows = evidence.journal.filter((row) => row.attemptId === attempt.attemptId);
    const atMost = { ...attempt, deadline: latestDeadline(evidence, attempt) };
    return [...countingRows(rows).values()]
      .filter((row) => !isInTime(evidence, atMost, row, writes.get(row.operationId)))
      .map((row) => `${row.operationId} counts and came too late`);
  });
}

/**
 * A student has the test's duration from one of their starts, and at most until the test closes;
 * added minutes only extend it.
 */
export function deadlineIsFair(evidence: StudentEvidence): string[] {
  const tests = new Map(evidence.tests.map((test) => [test.testId, test]));
  return evidence.attempts.flatMap(
    ({ attemptId, testId, userId, startedAt, deadline, recoveredAt }) => {
      const test = tests.get(testId);
      // Another rule checks those begun without a network.
      const isBegun = evidence.begins.some((begin) => begin.offerId === attemptId);
      if (!test || recoveredAt !== null || isBegun) return [];
      const isOwnStart = evidence.deliveries.some(
        ({ kind, user, about, schoolAt }) =>
          kind === 'start' &&
          user === userId &&
          about === testId &&
          Math.abs(schoolAt - startedAt) < SLACK_MS,
      );
      const offs = test.passTimes.map(
        (passMs) => deadline - Math.min(startedAt + passMs, test.endsAt ?? Infinity),
      );
      const off = offs.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
      const isFair = evidence.moved.has(attemptId)
        ? offs.some((one) => one > -SLACK_MS)
        : Math.abs(off) < SLACK_MS;
      return [
        ...(isOwnStart ? [] : [`${attemptId} began when nobody started it`]),
        ...(isFair ? [] : [`${attemptId} ends ${off} ms after its time`]),
      ];
    },
  );
}

/** The finish that ended an attempt, if any. */
function countedFinish(evidence: StudentEvidence, attempt: AttemptFacts): JournalRow | undefined {
  return evidence.journal.find((row) => row.operationId === attempt.finishOperation);
}

/** Whether the finish waited for its begin. */
const isEarly = ({ storedBegins }: StudentEvidence, finish: JournalRow): boolean =>
  storedBegins.some(
    (begin) =>
      begin.attemptId === finish.attemptId &&
      begin.stream === finish.stream &&
      (begin.decidedAt ?? begin.receivedAt) >= finish.receivedAt,
  );

/** Arrived after a finish that waited for its begin, and is numbered below it. */
export const isBelowEarly = (
  evidence: StudentEvidence,
  finish: JournalRow,
  { stream, sequence }: JournalRow,
): boolean =>
  stream === finish.stream &&
  (sequence ?? Infinity) < (finish.sequence ?? 0) &&
  isEarly(evidence, finish);

/**
 * A full device had the finish in the memory of a page that ended, and the server waited for its begin: on the device
 * the attempt went on.
 */
const isFinishForgotten = (
  evidence: StudentEvidence,
  finish: JournalRow,
  { stream }: JournalRow,
): boolean =>
  stream === finish.stream &&
  isEarly(evidence, finish) &&
  evidence.writes.some((one) => one.operationId === finish.operationId && !one.saved);

/** Nothing after the finish counts, except what an earlier stream wrote before it. */
export function nothingAfterFinish(evidence: StudentEvidence): string[] {
  if (evidence.restores.length > 0) return [];
  return evidence.attempts.flatMap((attempt) => {
    const finish = countedFinish(evidence, attempt);
    if (!finish) return [];
    return evidence.journal
      .filter(
        (row) =>
          row.attemptId === attempt.attemptId &&
          row.kind === 'answer' &&
          row.ordinal > finish.ordinal &&
          row.epoch >= finish.epoch &&
          row.outcome !== 'held' &&
          !isBelowEarly(evidence, finish, row) &&
          !isFinishForgotten(evidence, finish, row),
      )
      .map((row) => `${row.operationId} came after the finish and is ${row.outcome}`);
  });
}

/** The attempt was over, and its result could be seen, before the server's clock was set back. */
const wasOver = (evidence: StudentEvidence, attempt: AttemptFacts, write: Write): boolean =>
  evidence.schoolClockSteps.some(({ at, from }) => at <= write.at && from >= closesAt(attempt));

/** A copy or a delayed request was the first to bring a begin: its age was outdated, so the begin looks younger. */
export const isBeginStale = (
  { deliveries, begins }: StudentEvidence,
  { stream, receivedAt }: StoredBegin,
): boolean =>
  deliveries.some(
    ({ kind, isStale, about, schoolAt }) =>
      kind === 'start' &&
      isStale &&
      Math.abs(schoolAt - receivedAt) < SLACK_MS &&
      begins.some((begin) => begin.stream === stream && begin.testId === about),
  );

const isOfStaleBegin = (evidence: StudentEvidence, row: JournalRow): boolean =>
  evidence.storedBegins.some(
    (begin) => begin.stream === row.stream && isBeginStale(evidence, begin),
  );

/** A stream with a begin that the teacher did not accept: everything of it waits. */
const isOfHeldBegin = (evidence: StudentEvidence, row: JournalRow): boolean =>
  isBeginGone(evidence, row) ||
  evidence.storedBegins.some(
    ({ stream, hold, decision }) => stream === row.stream && hold !== null && decision !== 'accept',
  );

/** Answers written in time and received within the window are never held. */
export function inTimeCounts(evidence: StudentEvidence): string[] {
  if (evidence.restores.length > 0) return [];
  const writes = new Map(evidence.writes.map((write) => [write.operationId, write]));
  return evidence.attempts.flatMap((attempt) => {
    if (evidence.moved.has(attempt.attemptId)) return [];
    const finish = countedFinish(evidence, attempt);
    return (
      evidence.journal
        .filter((row) => row.attemptId === attempt.attemptId && row.outcome === 'held')
        // An accepted answer counts, a refused one is the teacher's.
        .filter(({ decision }) => decision === null)
        .filter((row) => {
          const write = writes.get(row.operationId);
          if (!write || row.kind === 'finish' || isOfHeldBegin(evidence, row)) return false;
          const isAfterFinish = finish !== undefined && row.ordinal > finish.ordinal;
          const came = evidence.deliveries.find(
            (one) => one.operationId === row.operationId && one.status === 200 && !one.isStale,
          );
          if (isOfStaleBegin(evidence, row)) return false;
          if (isAfterFinish || !came || mayLookYounger(evidence, write, came.schoolAt))
            return false;
          if (wasOver(evidence, attempt, write)) return false;
          // By the server's reckoning an answer is younger by the time that its call took.
          const seenAt = write.schoolAt + SLACK_MS;
          return seenAt < graceEnd(attempt) && came.schoolAt <= closesAt(attempt);
        })
        .map((row) => `${row.operationId} was written and came in time, and is held`)
    );
  });
}

/** A clock that is set forward and corrected again costs no time, and ends no attempt. */
export function timeComesBack({ clockReturns }: StudentEvidence): string[] {
  return clockReturns.filter(({ isTimeBack }) => !isTimeBack).map(({ shown }) => shown);
}
