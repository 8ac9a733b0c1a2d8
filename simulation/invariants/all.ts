import type { StudentEvidence } from '#simulation/evidence.ts';
import type { Violation } from '#simulation/history.ts';
import * as batch from './batch.ts';
import * as finish from './finish.ts';
import * as begins from './begins.ts';
import * as durability from './durability.ts';
import * as handovers from './handovers.ts';
import * as lines from './lines.ts';
import * as order from './order.ts';
import * as picks from './picks.ts';
import * as result from './result.ts';
import * as time from './time.ts';
import * as typing from './typing.ts';

/** Invariants of a finished run, by name. Each returns its violations. */
export const INVARIANTS: Readonly<Record<string, (evidence: StudentEvidence) => string[]>> = {
  savedIsStored: durability.savedIsStored,
  acknowledgedStays: durability.acknowledgedStays,
  restoreKeepsVerdicts: durability.restoreKeepsVerdicts,
  nothingInvented: durability.nothingInvented,
  filesHaveBytes: durability.filesHaveBytes,
  oneEffect: durability.oneEffect,
  ownerOnly: durability.ownerOnly,
  nothingRefused: durability.nothingRefused,
  drains: durability.drains,
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
  timeComesBack: time.timeComesBack,
  oneFinish: finish.oneFinish,
  finishIsBarrier: finish.finishIsBarrier,
  givenUpForReason: finish.givenUpForReason,
  filesAreWhole: finish.filesAreWhole,
  filesFollow: finish.filesFollow,
  attemptsWithinCount: finish.attemptsWithinCount,
  afterResultTeacherDecides: result.afterResultTeacherDecides,
  eachOwnVerdict: batch.eachOwnVerdict,
  newestPickWins: picks.newestPickWins,
  noPickVanishes: picks.noPickVanishes,
  slowLineIsUsed: lines.slowLineIsUsed,
  slowIsNotRefused: lines.slowIsNotRefused,
  strangersWaitIsShort: lines.strangersWaitIsShort,
  typedIsStored: typing.typedIsStored,
  typedOutlivesPage: typing.typedOutlivesPage,
  typedIsErased: typing.typedIsErased,
  noAgeBeforeStream: result.noAgeBeforeStream,
  attacksAreRefused: result.attacksAreRefused,
  beginIsStored: begins.beginIsStored,
  noBeginInvented: begins.noBeginInvented,
  noMinuteGained: begins.noMinuteGained,
  promisedTimeStands: begins.promisedTimeStands,
  ageIsReported: begins.ageIsReported,
  goodBeginCounts: begins.goodBeginCounts,
  earlyBeginIsHeld: begins.earlyBeginIsHeld,
  oldCodeIsHeld: begins.oldCodeIsHeld,
  madeUpBeginIsHeld: begins.madeUpBeginIsHeld,
  heldCountsNothing: begins.heldCountsNothing,
  earlyFinishEnds: begins.earlyFinishEnds,
  broughtInStays: handovers.broughtInStays,
  handedOverIsNotFolded: handovers.handedOverIsNotFolded,
  offersAreSealed: begins.offersAreSealed,
};

export function checkEvidence(evidence: StudentEvidence): Violation[] {
  return Object.entries(INVARIANTS).flatMap(([invariant, check]) =>
    check(evidence).map((detail) => ({ invariant, detail })),
  );
}
