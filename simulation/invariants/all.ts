import type { Evidence } from '#simulation/evidence.ts';
import type { Violation } from '#simulation/history.ts';
import * as finish from './finish.ts';
import * as kept from './kept.ts';
import * as order from './order.ts';
import * as result from './result.ts';
import * as time from './time.ts';

/** Every invariant of a finished run, by name. Each gives what is wrong; nothing when it holds. */
export const INVARIANTS: Readonly<Record<string, (evidence: Evidence) => string[]>> = {
  savedIsKept: kept.savedIsKept,
  acknowledgedStays: kept.acknowledgedStays,
  restoreKeepsVerdicts: kept.restoreKeepsVerdicts,
  nothingInvented: kept.nothingInvented,
  filesHaveBytes: kept.filesHaveBytes,
  oneEffect: kept.oneEffect,
  ownerOnly: kept.ownerOnly,
  nothingRefused: kept.nothingRefused,
  drains: kept.drains,
  highestIsFinal: order.highestIsFinal,
  lastWordCounts: order.lastWordCounts,
  sequenceFollowsWriting: order.sequenceFollowsWriting,
  sequencesUnique: order.sequencesUnique,
  epochsAreHoldings: order.epochsAreHoldings,
  oneScore: order.oneScore,
  deadlineIsFair: time.deadlineIsFair,
  lateRule: time.lateRule,
  nothingAfterFinish: time.nothingAfterFinish,
  inTimeCounts: time.inTimeCounts,
  oneFinish: finish.oneFinish,
  finishIsBarrier: finish.finishIsBarrier,
  givenUpForReason: finish.givenUpForReason,
  filesAreWhole: finish.filesAreWhole,
  attemptsWithinCount: finish.attemptsWithinCount,
  afterResultTeacherDecides: result.afterResultTeacherDecides,
  noAgeBeforeStream: result.noAgeBeforeStream,
};

export function checkEvidence(evidence: Evidence): Violation[] {
  return Object.entries(INVARIANTS).flatMap(([invariant, check]) =>
    check(evidence).map((detail) => ({ invariant, detail })),
  );
}
