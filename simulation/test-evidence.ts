import type {
  BeginFact,
  CrowdAnswer,
  DeviceOperation,
  FilePicksEvidence,
  StudentEvidence,
  JournalRow,
  SlowUpload,
  StoredBegin,
  TypingEvidence,
  Write,
} from '#simulation/evidence.ts';
import { checkEvidence } from './invariants/all.ts';
import { Q, smallTest } from '#tests/school.ts';

/** Evidence of a correct run, and its parts, for the tests of the checker. */

export const MINUTE = 60_000;
export const START = 1_000_000_000_000;
export const DEADLINE = START + 40 * MINUTE;

export const RIGHT = `{"kind":"open","questionId":"${Q.open}","text":"4,9"}`;
export const WRONG = `{"kind":"open","questionId":"${Q.open}","text":"5"}`;

export const write: Write = {
  operationId: 'o1',
  kind: 'answer',
  user: 'u1',
  device: 'A',
  attemptId: 'a1',
  questionId: Q.open,
  body: RIGHT,
  stream: 's1',
  epoch: 1,
  sequence: 1,
  saved: true,
  killed: false,
  at: START + MINUTE,
  schoolAt: START + MINUTE,
};

export const row: JournalRow = {
  operationId: 'o1',
  attemptId: 'a1',
  userId: 'u1',
  kind: 'answer',
  stream: 's1',
  epoch: 1,
  sequence: 1,
  rank: 1,
  ordinal: 1,
  questionId: Q.open,
  body: RIGHT,
  outcome: 'stored',
  refusal: null,
  receivedLate: false,
  decision: null,
  ageMs: 0,
  receivedAt: START + 2 * MINUTE,
};

export const finish: JournalRow = {
  ...row,
  operationId: 'f1',
  kind: 'finish',
  sequence: 2,
  rank: 2,
  ordinal: 2,
  questionId: null,
  body: '',
  receivedAt: START + 3 * MINUTE,
};

export const attempt: StudentEvidence['attempts'][number] = {
  attemptId: 'a1',
  testId: 't1',
  userId: 'u1',
  contentId: 'c1',
  number: 1,
  startedAt: START,
  deadline: DEADLINE,
  windowMs: 15 * MINUTE,
  ended: 'finished',
  endedAt: START + 3 * MINUTE,
  finishOperation: 'f1',
  activeStream: 's1',
  points: 2,
  deleted: false,
  recoveredAt: null,
  streams: [{ id: 's1', epoch: 1, createdAt: START }],
  answers: [{ questionId: Q.open, operationId: 'o1' }],
  spares: [],
  files: [],
};

export const minutesAdded = {
  at: DEADLINE + 20 * MINUTE,
  from: DEADLINE,
  to: DEADLINE + 30 * MINUTE,
};

/** Closed by the server, then extended by minutes. */
export const reopened = {
  ...attempt,
  deadline: minutesAdded.to,
  ended: null,
  endedAt: null,
  finishOperation: null,
  points: null,
};

export const deviceOperation: DeviceOperation = {
  device: 'A',
  operationId: 'o1',
  owner: 'u1',
  attemptId: 'a1',
  stream: 's1',
  sequence: 1,
  formerSequences: [],
  kind: 'answer',
  state: 'acknowledged',
  poisoned: false,
  foldedInto: null,
  refusal: null,
  receipt: 'stored',
};

export const delivery: StudentEvidence['deliveries'][number] = {
  operationId: 'o1',
  kind: 'answer',
  user: 'u1',
  device: 'A',
  status: 200,
  about: 'a1',
  at: START + 2 * MINUTE,
  schoolAt: START + 2 * MINUTE,
  isStale: false,
};
/** The request that began the attempt. */
export const began = {
  ...delivery,
  operationId: 'k1',
  kind: 'start',
  about: 't1',
  at: START,
  schoolAt: START,
} as const;

/** One answered, finished attempt without violations. */
export const good: StudentEvidence = {
  writes: [write],
  receipts: [
    {
      operationId: 'o1',
      device: 'A',
      user: 'u1',
      stream: 's1',
      outcome: 'stored',
      at: START + 2 * MINUTE,
    },
  ],
  broughtIn: [],
  handedOver: new Set(),
  deliveries: [began, delivery],
  journal: [row, finish],
  strays: [],
  attempts: [attempt],
  tests: [{ testId: 't1', attemptsCount: 1, passTimes: [40 * MINUTE], endsAt: null }],
  onDevices: [deviceOperation],
  contents: new Map([['c1', smallTest]]),
  wipedStreams: new Set(),
  overwrittenBegins: new Set(),
  lostDevices: new Set(),
  made: new Set(['o1', 'f1']),
  madeWhenFull: new Set(),
  fullSignIns: [],
  moved: new Map(),
  clockChanges: [],
  schoolClockSteps: [],
  restores: [],
  begins: [],
  storedBegins: [],
  offers: [],
  knownOffers: new Set(['a1']),
  school: {
    showings: [],
    renewals: [],
    archivings: [],
    accepted: new Set(),
    copiedTo: new Set(),
    unsealed: [],
  },
  picks: [],
  uploads: [],
  waits: [],
  typings: [],
  clockReturns: [],
  poisoned: new Set(),
  everSetAside: new Set(),
  verdictsAtRestore: new Map(),
  onceDeleted: new Set(),
  undrained: [],
  startKeys: new Map([['u1/t1', 1]]),
  cheat: { events: [], journal: [], attempts: [] },
  crowd: { answers: [], journal: [] },
};

export const late = DEADLINE + 5 * MINUTE;
export const running = {
  ...attempt,
  ended: null,
  endedAt: null,
  finishOperation: null,
  points: null,
};
/** A counted answer of the dishonest student. */
const sentOnce = { kind: 'sent', attemptId: 'a1', operationId: 'o1' } as const;
export const atOnce = { ...sentOnce, outcome: 'stored', claimedAt: row.receivedAt };
export const saw = { kind: 'saw', attemptId: 'a1' } as const;
/** A list of a quarter of a megabyte, refused. */
export const attacked = {
  kind: 'attacked',
  attemptId: 'a1',
  isOwn: true,
  status: 400,
  bytes: 300,
} as const;
export const cheating = (
  events: StudentEvidence['cheat']['events'],
  more: Partial<JournalRow> = {},
): StudentEvidence => ({
  ...good,
  cheat: { events, journal: [{ ...row, ...more }, finish], attempts: [attempt] },
});

/** A classmate's answer that shared a statement with others, and what is stored of it. */
export const crowding = (
  more: Partial<CrowdAnswer> = {},
  stored: Partial<JournalRow> | null = {},
  receipt: Partial<CrowdAnswer['receipt']> = {},
): StudentEvidence => {
  const own = { operationId: 'o1', stream: 's1', sequence: 1 };
  const verdict = { ...own, outcome: 'stored', ...receipt };
  const call = { attemptId: 'a1', isValid: true, body: RIGHT, status: 200, receipt: verdict };
  const journal = stored === null ? [] : [{ ...row, ...stored }];
  return { ...good, crowd: { answers: [{ ...own, ...call, ...more }], journal } };
};

export const fileBody = `{"fileId":"f","kind":"file","questionId":"${Q.file}"}`;

/** The attempt is finished, and the only answer's file is not whole. */
export const lackingFile: StudentEvidence = {
  ...good,
  writes: [{ ...write, questionId: Q.file, body: fileBody }],
  journal: [{ ...row, questionId: Q.file, body: fileBody }, finish],
  attempts: [
    {
      ...attempt,
      points: 0,
      answers: [{ questionId: Q.file, operationId: 'o1' }],
      files: [{ fileId: 'f', complete: false, setAside: false, intact: false }],
    },
  ],
};

/** Evidence that violates only this invariant. */
export function picking(changes: Partial<FilePicksEvidence>): StudentEvidence {
  const picks = { attemptId: 'a1', questionId: Q.file, storedAfterFinish: 0 };
  return { ...good, picks: [{ ...picks, fates: ['stored'], stored: [0], ...changes }] };
}

export const sending = (changes: Partial<SlowUpload>): StudentEvidence => {
  const course = { line: '50 kbit/s', ms: 30_000, idealMs: 20_000 };
  const losses = { timeOuts: 0, allowedTimeOuts: 0, isBreaking: false, stuckPasses: 7 };
  return {
    ...good,
    uploads: [
      { operationId: 'o1', attemptId: 'a1', isSetAside: false, ...course, ...losses, ...changes },
    ],
  };
};

export const typing = (changes: Partial<TypingEvidence>): StudentEvidence => {
  const typed = { attemptId: 'a1', questionId: Q.open, longestWaitMs: 1_000, isLateAtPause: false };
  const next = { expected: RIGHT, stored: RIGHT, foreign: 0 };
  return { ...good, typings: [{ ...typed, next, ...changes }] };
};

export const waiting = (ms: number, hasPoisoned: boolean): StudentEvidence => ({
  ...good,
  waits: [{ page: 'A1', ms, hasPoisoned }],
});

/** The attempt began without a network at its start; its code was shown an hour before. */
export function beginning(
  stored: Partial<StoredBegin> | null,
  begun: Partial<BeginFact> = {},
  school: Partial<StudentEvidence['school']> = {},
): StudentEvidence {
  const begin = { offerId: 'a1', testId: 't1', user: 'u1', device: 'A', stream: 's1', code: 'C' };
  const times = { at: START, schoolAt: START, promisedMs: 40 * MINUTE, killed: false };
  const known = { attemptId: 'a1', stream: 's1', hold: null, ageMs: MINUTE, isReplaced: false };
  const decided = { receivedAt: START + MINUTE, decision: null, decidedAt: null };
  return {
    ...good,
    begins: [{ ...begin, ...times, ...begun }],
    storedBegins: stored === null ? [] : [{ ...known, ...decided, ...stored }],
    school: { ...good.school, showings: [shownAt(START - 60 * MINUTE)], ...school },
  };
}
export const shownAt = (at: number) => ({ testId: 't1', code: 'C', at });
export const archivedAt = (at: number) => ({ testId: 't1', isArchived: true, at });
export const heldRow = { ...row, outcome: 'held' as const };
/** Held, with the answer held too, and nothing finished yet. */
export const heldBegin = (
  stored: Partial<StoredBegin>,
  begun: Partial<BeginFact> = {},
  school: Partial<StudentEvidence['school']> = {},
): StudentEvidence => ({
  ...beginning({ hold: 'beforeCode', ...stored }, begun, school),
  journal: [heldRow],
  attempts: [{ ...running, answers: [] }],
});
export const SHOWN_LATER = { showings: [shownAt(START + MINUTE)] };
export const CAME_LATE = [
  { ...began, isStale: true, schoolAt: START + 11 * MINUTE },
  { ...delivery, schoolAt: START + 12 * MINUTE },
];
export const CLOCK_SET = [{ device: 'A', at: START, by: -MINUTE }];
export const NO_REASON: readonly string[] = [
  'proof',
  'beforeOffer',
  'beforeCode',
  'beforeOpening',
  'afterEnd',
  'unknownTime',
  'testClosed',
  'otherAttempt',
  'noAttemptsLeft',
  'replacedOffer',
  'secondDevice',
];

/** Names of the violated invariants. */
export const namesOf = (evidence: StudentEvidence): Set<string> =>
  new Set(checkEvidence(evidence).map(({ invariant }) => invariant));
