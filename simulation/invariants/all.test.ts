import { describe, expect, test } from 'vitest';
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
import { Q, smallTest } from '#tests/school.ts';
import { checkEvidence, INVARIANTS } from './all.ts';
import { handedOverIsNotFolded } from './handovers.ts';
import { isOutranked, lastWordCounts, sequenceFollowsWriting, sequencesUnique } from './order.ts';
import { inTimeCounts, lateRule, nothingAfterFinish } from './time.ts';

const MINUTE = 60_000;
const START = 1_000_000_000_000;
const DEADLINE = START + 40 * MINUTE;

const RIGHT = `{"kind":"open","questionId":"${Q.open}","text":"4,9"}`;
const WRONG = `{"kind":"open","questionId":"${Q.open}","text":"5"}`;

const write: Write = {
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

const row: JournalRow = {
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

const finish: JournalRow = {
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

const attempt: StudentEvidence['attempts'][number] = {
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

const minutesAdded = {
  at: DEADLINE + 20 * MINUTE,
  from: DEADLINE,
  to: DEADLINE + 30 * MINUTE,
};

/** Closed by the server, then extended by minutes. */
const reopened = {
  ...attempt,
  deadline: minutesAdded.to,
  ended: null,
  endedAt: null,
  finishOperation: null,
  points: null,
};

const deviceOperation: DeviceOperation = {
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

const delivery: StudentEvidence['deliveries'][number] = {
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
const began = {
  ...delivery,
  operationId: 'k1',
  kind: 'start',
  about: 't1',
  at: START,
  schoolAt: START,
} as const;

/** One answered, finished attempt without violations. */
const good: StudentEvidence = {
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

const late = DEADLINE + 5 * MINUTE;
const running = { ...attempt, ended: null, endedAt: null, finishOperation: null, points: null };
/** A counted answer of the dishonest student. */
const sentOnce = { kind: 'sent', attemptId: 'a1', operationId: 'o1' } as const;
const atOnce = { ...sentOnce, outcome: 'stored', claimedAt: row.receivedAt };
const saw = { kind: 'saw', attemptId: 'a1' } as const;
/** A list of a quarter of a megabyte, refused. */
const attacked = {
  kind: 'attacked',
  attemptId: 'a1',
  isOwn: true,
  status: 400,
  bytes: 300,
} as const;
const cheating = (
  events: StudentEvidence['cheat']['events'],
  more: Partial<JournalRow> = {},
): StudentEvidence => ({
  ...good,
  cheat: { events, journal: [{ ...row, ...more }, finish], attempts: [attempt] },
});

/** A classmate's answer that shared a statement with others, and what is stored of it. */
const crowding = (
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

const fileBody = `{"fileId":"f","kind":"file","questionId":"${Q.file}"}`;

/** Evidence that violates only this invariant. */
function picking(changes: Partial<FilePicksEvidence>): StudentEvidence {
  const picks = { attemptId: 'a1', questionId: Q.file, storedAfterFinish: 0 };
  return { ...good, picks: [{ ...picks, fates: ['stored'], stored: [0], ...changes }] };
}

const sending = (changes: Partial<SlowUpload>): StudentEvidence => {
  const course = { line: '50 kbit/s', ms: 30_000, idealMs: 20_000 };
  const losses = { timeOuts: 0, allowedTimeOuts: 0, isBreaking: false, stuckPasses: 7 };
  return {
    ...good,
    uploads: [{ operationId: 'o1', isSetAside: false, ...course, ...losses, ...changes }],
  };
};

const typing = (changes: Partial<TypingEvidence>): StudentEvidence => {
  const typed = { attemptId: 'a1', questionId: Q.open, longestWaitMs: 1_000, isLateAtPause: false };
  const next = { expected: RIGHT, stored: RIGHT, foreign: 0 };
  return { ...good, typings: [{ ...typed, next, ...changes }] };
};

const waiting = (ms: number, hasPoisoned: boolean): StudentEvidence => ({
  ...good,
  waits: [{ page: 'A1', ms, hasPoisoned }],
});

/** The attempt began without a network at its start; its code was shown an hour before. */
function beginning(
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
const shownAt = (at: number) => ({ testId: 't1', code: 'C', at });
const archivedAt = (at: number) => ({ testId: 't1', isArchived: true, at });
const heldRow = { ...row, outcome: 'held' as const };
/** Held, with the answer held too, and nothing finished yet. */
const heldBegin = (
  stored: Partial<StoredBegin>,
  begun: Partial<BeginFact> = {},
  school: Partial<StudentEvidence['school']> = {},
): StudentEvidence => ({
  ...beginning({ hold: 'beforeCode', ...stored }, begun, school),
  journal: [heldRow],
  attempts: [{ ...running, answers: [] }],
});
const SHOWN_LATER = { showings: [shownAt(START + MINUTE)] };
const CAME_LATE = [
  { ...began, isStale: true, schoolAt: START + 11 * MINUTE },
  { ...delivery, schoolAt: START + 12 * MINUTE },
];
const CLOCK_SET = [{ device: 'A', at: START, by: -MINUTE }];
const NO_REASON: readonly string[] = [
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

const broken: Readonly<Record<string, readonly [what: string, evidence: StudentEvidence][]>> = {
  beginIsStored: [
    ['a begin that the server never stored', beginning(null)],
    [
      'a begin that did not come back after a restore',
      { ...beginning(null), restores: [START + MINUTE] },
    ],
  ],
  noBeginInvented: [
    ['a begin of another stream', beginning({ stream: 's2' })],
    ['a begin of another offer', beginning({}, { offerId: 'a2' })],
  ],
  noMinuteGained: [
    ['minutes counted from the receipt', beginning({}, { schoolAt: START - 10 * MINUTE })],
    [
      'more minutes than the clock was set by',
      { ...beginning({}, { schoolAt: START - 10 * MINUTE }), clockChanges: CLOCK_SET },
    ],
  ],
  promisedTimeStands: [
    ['less than the offer promised', beginning({}, { promisedMs: 50 * MINUTE })],
  ],
  ageIsReported: [['no age', beginning({ ageMs: null })]],
  goodBeginCounts: NO_REASON.map((hold) => [`the hold «${hold}»`, beginning({ hold })]),
  earlyBeginIsHeld: [
    ['a code that nobody was shown', beginning({}, {}, { showings: [] })],
    ['a begin before the code', beginning({}, {}, { showings: [shownAt(START + 5 * MINUTE)] })],
    [
      'the showing of another code',
      beginning({}, {}, { showings: [{ ...shownAt(START - MINUTE), code: 'D' }] }),
    ],
  ],
  oldCodeIsHeld: [['a former code', beginning({}, {}, { renewals: [shownAt(START - MINUTE)] })]],
  madeUpBeginIsHeld: [['a begin without an opened offer', beginning({}, { code: null })]],
  heldCountsNothing: [
    ['an answer that counts', { ...heldBegin({}), journal: [row] }],
    ['an answer of a refused begin', { ...heldBegin({ decision: 'refuse' }), journal: [row] }],
    [
      'an answer after the proof of another owner',
      {
        ...heldBegin({ hold: 'secondDevice' }),
        journal: [row],
        attempts: [{ ...running, recoveredAt: row.receivedAt - 1 }],
      },
    ],
  ],
  earlyFinishEnds: [
    [
      'a finish that an accepted begin ignores',
      {
        ...heldBegin({ decision: 'accept', decidedAt: START + 5 * MINUTE }),
        journal: [row, { ...finish, outcome: 'superseded' }],
      },
    ],
  ],
  offersAreSealed: [
    ['an open offer', { ...good, offers: [{ offerId: 'a1', isReadable: true }] }],
    ['one that another code opens', beginning({}, {}, { unsealed: ['a1 opens'] })],
  ],
  savedIsStored: [
    ['deleted before it was sent', { ...good, journal: [finish], onDevices: [], receipts: [] }],
    ['acknowledged without a receipt', { ...good, journal: [finish], receipts: [] }],
    [
      'folded into what is lost',
      {
        ...good,
        receipts: [],
        journal: [finish],
        onDevices: [{ ...deviceOperation, state: 'folded', foldedInto: 'o2', receipt: null }],
      },
    ],
  ],
  broughtInStays: [
    [
      'brought in and not on the server',
      { ...good, broughtIn: [{ operationId: 'o2', at: START + 2 * MINUTE }] },
    ],
  ],
  handedOverIsNotFolded: [
    [
      'folded after it was handed over',
      {
        ...good,
        handedOver: new Set(['o1']),
        onDevices: [{ ...deviceOperation, state: 'folded', foldedInto: 'o2' }],
      },
    ],
  ],
  acknowledgedStays: [['a receipt for nothing', { ...good, journal: [finish] }]],
  restoreKeepsVerdicts: [
    [
      'stored before, held after',
      {
        ...good,
        restores: [START + 3 * MINUTE],
        verdictsAtRestore: new Map([['o1', { outcome: 'stored', device: 'A' }]]),
        journal: [{ ...row, outcome: 'held' }, finish],
      },
    ],
  ],
  nothingInvented: [
    ['an id that no page generated', { ...good, journal: [{ ...row, operationId: 'x' }, finish] }],
    ['a body that was not written', { ...good, journal: [{ ...row, body: WRONG }, finish] }],
    ['a finish that no page created', { ...good, made: new Set(['o1']) }],
  ],
  filesHaveBytes: [
    [
      'set aside by the device itself',
      { ...good, onDevices: [{ ...deviceOperation, state: 'setAside', refusal: 'FILE_LOST' }] },
    ],
  ],
  oneEffect: [
    ['twice in the journal', { ...good, journal: [row, { ...row, ordinal: 3 }, finish] }],
    [
      'two with one sequence',
      { ...good, journal: [row, { ...row, operationId: 'o2', ordinal: 3 }, finish] },
    ],
  ],
  ownerOnly: [
    ['sent by another user', { ...good, deliveries: [began, { ...delivery, user: 'u2' }] }],
    ['in another’s attempt', { ...good, journal: [{ ...row, userId: 'u2' }, finish] }],
  ],
  nothingRefused: [
    ['a valid answer refused', { ...good, journal: [{ ...row, outcome: 'refused' }, finish] }],
  ],
  drains: [['an operation for ever', { ...good, undrained: ['o1'] }]],
  highestIsFinal: [
    [
      'an older one counts',
      {
        ...good,
        journal: [row, { ...row, operationId: 'o2', sequence: 3, rank: 3, ordinal: 3 }, finish],
      },
    ],
    ['a held one counts', { ...good, journal: [{ ...row, outcome: 'held' }, finish] }],
  ],
  lastWordCounts: [
    [
      'an older answer counts',
      {
        ...good,
        writes: [write, { ...write, operationId: 'o2', sequence: 2, body: WRONG }],
        deliveries: [began, delivery, { ...delivery, operationId: 'o2' }],
      },
    ],
    [
      'a former owner’s counts',
      {
        ...good,
        writes: [{ ...write, operationId: 'o2', stream: 's2', epoch: 2, body: WRONG }, write],
        deliveries: [began, delivery, { ...delivery, operationId: 'o2' }],
      },
    ],
    ['none counts', { ...good, attempts: [{ ...attempt, answers: [] }] }],
    [
      'one that came within the former window does not count after added minutes',
      {
        ...good,
        attempts: [{ ...reopened, answers: [] }],
        moved: new Map([['a1', [minutesAdded]]]),
        deliveries: [began, { ...delivery, schoolAt: DEADLINE + 14 * MINUTE }],
      },
    ],
  ],
  sequenceFollowsWriting: [
    [
      'the later one lower',
      {
        ...good,
        writes: [write, { ...write, operationId: 'o2', sequence: 0, at: write.at + 1 }],
        journal: [row, { ...row, operationId: 'o2', sequence: 0, rank: 0, ordinal: 3 }, finish],
      },
    ],
  ],
  sequencesUnique: [
    ['the same sequence twice', { ...good, writes: [write, { ...write, operationId: 'o2' }] }],
    [
      'both written before a sign-in without space',
      {
        ...good,
        writes: [write, { ...write, operationId: 'o2' }],
        fullSignIns: [{ device: 'A', at: write.at + MINUTE }],
      },
    ],
    [
      'the sign-in without space was on another device',
      {
        ...good,
        writes: [write, { ...write, operationId: 'o2', at: write.at + 2 * MINUTE }],
        fullSignIns: [{ device: 'B', at: write.at + MINUTE }],
      },
    ],
  ],
  epochsAreHoldings: [
    [
      'the same epoch twice',
      {
        ...good,
        attempts: [
          {
            ...attempt,
            streams: [...attempt.streams, { id: 's2', epoch: 1, createdAt: START + 1 }],
          },
        ],
      },
    ],
    [
      'an earlier stream owns it',
      {
        ...good,
        attempts: [
          {
            ...attempt,
            streams: [...attempt.streams, { id: 's2', epoch: 2, createdAt: START + 1 }],
          },
        ],
      },
    ],
    ['an operation out of its epoch', { ...good, journal: [{ ...row, epoch: 2 }, finish] }],
  ],
  oneScore: [
    ['too many points', { ...good, attempts: [{ ...attempt, points: 3 }] }],
    ['no points at the end', { ...good, attempts: [{ ...attempt, points: null }] }],
    ['points while it runs', { ...good, journal: [row], attempts: [{ ...running, points: 2 }] }],
  ],
  deadlineIsFair: [
    [
      'less time than the test gives',
      { ...good, attempts: [{ ...attempt, deadline: DEADLINE - MINUTE }] },
    ],
    ['more time', { ...good, attempts: [{ ...attempt, deadline: DEADLINE + MINUTE }] }],
    [
      'less than before a teacher added minutes',
      {
        ...good,
        moved: new Map([['a1', []]]),
        attempts: [{ ...attempt, deadline: DEADLINE - MINUTE }],
      },
    ],
    ['begun without a start', { ...good, deliveries: [delivery] }],
  ],
  lateRule: [
    [
      'written and received too late',
      {
        ...good,
        writes: [{ ...write, at: late, schoolAt: late }],
        journal: [{ ...row, receivedAt: late + MINUTE, receivedLate: true }],
        attempts: [running],
      },
    ],
    [
      'received after the window',
      {
        ...good,
        journal: [{ ...row, receivedAt: DEADLINE + 16 * MINUTE, receivedLate: true }],
        attempts: [running],
      },
    ],
  ],
  nothingAfterFinish: [
    ['stored after the finish', { ...good, journal: [{ ...row, ordinal: 5 }, finish] }],
  ],
  inTimeCounts: [
    [
      'held although in time',
      {
        ...good,
        journal: [{ ...row, outcome: 'held' }],
        attempts: [{ ...running, answers: [] }],
      },
    ],
  ],
  oneFinish: [
    ['finished without a finish', { ...good, journal: [row] }],
    ['runs despite its finish', { ...good, attempts: [running] }],
    [
      'deleted, and runs despite a finish received in time',
      { ...good, attempts: [{ ...running, deleted: true }] },
    ],
  ],
  finishIsBarrier: [
    ['a gap', { ...good, journal: [{ ...row, sequence: null }, finish] }],
    ['an answer overtaken', { ...good, journal: [{ ...row, ordinal: 5 }, finish] }],
    [
      'an answer overtaken by a finish without its sequence',
      {
        ...good,
        journal: [
          { ...row, ordinal: 5 },
          { ...finish, sequence: null },
        ],
        onDevices: [
          deviceOperation,
          { ...deviceOperation, operationId: 'f1', kind: 'finish', sequence: 2 },
        ],
      },
    ],
  ],
  givenUpForReason: [
    [
      'declared lost while it waits',
      {
        ...good,
        journal: [finish],
        onDevices: [{ ...deviceOperation, state: 'waiting' }],
        attempts: [
          {
            ...attempt,
            answers: [],
            points: 0,
            spares: [{ stream: 's1', sequence: 1, reason: 'setAside', operationId: null }],
          },
        ],
      },
    ],
  ],
  filesAreWhole: [
    [
      'a file that was never complete',
      {
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
      },
    ],
  ],
  filesFollow: [
    [
      'a file that its device kept after the attempt was closed',
      {
        ...good,
        writes: [{ ...write, questionId: Q.file, body: fileBody }],
        journal: [{ ...row, questionId: Q.file, body: fileBody }],
        attempts: [
          {
            ...attempt,
            ended: 'closed',
            finishOperation: null,
            points: 0,
            answers: [{ questionId: Q.file, operationId: 'o1' }],
            files: [{ fileId: 'f', complete: false, setAside: false, intact: false }],
          },
        ],
      },
    ],
  ],
  attemptsWithinCount: [
    [
      'one too many',
      {
        ...good,
        startKeys: new Map([['u1/t1', 2]]),
        attempts: [attempt, { ...running, attemptId: 'a2', answers: [] }],
      },
    ],
    ['more than starts', { ...good, startKeys: new Map() }],
  ],
  afterResultTeacherDecides: [
    ['sent after the result was seen', cheating([saw, atOnce])],
    [
      'held before, chosen afterwards',
      cheating([{ ...atOnce, outcome: 'held' }, saw, { ...atOnce, outcome: 'superseded' }]),
    ],
    [
      'counted because of minutes added later',
      cheating([saw, { ...atOnce, outcome: 'held' }, { kind: 'minutes', attemptId: 'a1' }]),
    ],
  ],
  attacksAreRefused: [
    ['a receipt for a list', cheating([{ ...attacked, status: 200 }])],
    ['an error of the server', cheating([{ ...attacked, status: 500 }])],
    ['a refusal as long as the list', cheating([{ ...attacked, bytes: 20_481 }])],
    ['judged in another’s attempt', cheating([{ ...attacked, isOwn: false }])],
  ],
  eachOwnVerdict: [
    ['the receipt of another operation', crowding({}, {}, { operationId: 'o2' })],
    ['the receipt of another stream', crowding({}, {}, { stream: 's2' })],
    ['the receipt of another sequence', crowding({}, {}, { sequence: 2 })],
    ['another outcome', crowding({}, { outcome: 'superseded' })],
    ['refused although it fits', crowding({ status: 409, receipt: null })],
    ['acknowledged without a receipt', crowding({ receipt: null })],
    ['acknowledged and not stored', crowding({}, null)],
    ['stored with the text of another', crowding({}, { body: WRONG })],
    ['stored in another attempt', crowding({}, { attemptId: 'a2' })],
    ['acknowledged, and no answer to a question', crowding({ isValid: false })],
  ],
  newestPickWins: [
    ['an older pick stored last', picking({ fates: ['stored', 'stored'], stored: [1, 0] })],
    ['a pick stored after the finish', picking({ storedAfterFinish: 1 })],
  ],
  noPickVanishes: [['a pick that nothing names', picking({ fates: ['vanished'], stored: [] })]],
  timeComesBack: [
    [
      'a finish that stays queued',
      { ...good, clockReturns: [{ shown: 'A1 shows finishing', isTimeBack: false }] },
    ],
  ],
  slowLineIsUsed: [
    ['an upload that takes too long', sending({ ms: 32_000 })],
    ['a time-out of a steady line', sending({ timeOuts: 1 })],
    ['more time-outs than a falling line costs', sending({ timeOuts: 3, allowedTimeOuts: 2 })],
  ],
  slowIsNotRefused: [
    ['set aside while bytes arrived', sending({ isSetAside: true })],
    ['never accepted', sending({ ms: null })],
    ['never accepted over a breaking line', sending({ ms: null, isBreaking: true })],
  ],
  strangersWaitIsShort: [
    ['an hour', waiting(60 * MINUTE, false)],
    ['an hour beside a poisoned answer', waiting(60 * MINUTE, true)],
    ['two minutes without one', waiting(2 * MINUTE, false)],
  ],
  typedIsStored: [
    ['a key that waits too long', typing({ longestWaitMs: 1_050 })],
    ['a pause that stores nothing', typing({ isLateAtPause: true })],
  ],
  typedOutlivesPage: [
    ['keys lost with their page', typing({ next: { expected: RIGHT, stored: '', foreign: 0 } })],
    [
      'an older text over a newer one',
      typing({ next: { expected: RIGHT, stored: WRONG, foreign: 0 } }),
    ],
  ],
  typedIsErased: [
    ['text left to others', typing({ next: { expected: RIGHT, stored: RIGHT, foreign: 1 } })],
  ],
  noAgeBeforeStream: [
    [
      'in the window after the deadline',
      cheating([{ ...atOnce, claimedAt: START - 2 * MINUTE }], { receivedAt: late }),
    ],
    [
      'after the finish',
      cheating([{ ...atOnce, claimedAt: START - 2 * MINUTE }], { ordinal: finish.ordinal + 1 }),
    ],
  ],
};

const namesOf = (evidence: StudentEvidence): Set<string> =>
  new Set(checkEvidence(evidence).map(({ invariant }) => invariant));

test('a correct run has no violations', () => {
  expect(checkEvidence(good)).toEqual([]);
});

test.each<[string, StudentEvidence]>([
  ['sent in time', sending({})],
  ['that met a line which became slower', sending({ ms: 45_000, timeOuts: 2, allowedTimeOuts: 2 })],
  ['set aside where no byte arrived', sending({ isSetAside: true, stuckPasses: 8 })],
  ['over a breaking line, however long it takes', sending({ ms: 300_000, isBreaking: true })],
  ['typed and stored in time', typing({})],
  ['typed on a page that goes on', typing({ next: null })],
  ['that waits as the jitter says', waiting(30_000, false)],
  ['that waits beside a poisoned answer', waiting(2 * MINUTE, true)],
])('an answer may be %s', (_what, evidence) => {
  expect(checkEvidence(evidence)).toEqual([]);
});

test('every invariant has evidence that turns it red', () => {
  expect(Object.keys(broken).toSorted()).toEqual(Object.keys(INVARIANTS).toSorted());
});

describe.each(Object.entries(broken))('%s turns red on', (invariant, cases) => {
  test.each(cases)('%s', (_what, evidence) => {
    expect(namesOf(evidence)).toContain(invariant);
  });
});

const delayed: StudentEvidence = {
  ...beginning({ receivedAt: START + 11 * MINUTE }, { schoolAt: START - 10 * MINUTE }),
  deliveries: CAME_LATE,
};

test.each<[string, StudentEvidence]>([
  ['counts in time', beginning({})],
  ['is held for a replaced offer', heldBegin({ hold: 'replacedOffer', isReplaced: true })],
  [
    'counts from the code, its age being unknown',
    {
      ...beginning(
        { ageMs: null },
        { schoolAt: START - 10 * MINUTE },
        { showings: [shownAt(START)] },
      ),
      clockChanges: CLOCK_SET,
    },
  ],
  ['counts as much later as it was delayed', delayed],
  [
    'has no age on a device with the clock of another one',
    beginning({ ageMs: null }, {}, { copiedTo: new Set(['A']) }),
  ],
  ['is held before the code, with its answers', heldBegin({}, {}, SHOWN_LATER)],
  [
    'is accepted after the teacher accepted its answer',
    {
      ...heldBegin({ decision: 'accept' }, {}, SHOWN_LATER),
      journal: [{ ...heldRow, decision: 'accepted' }],
      attempts: [running],
    },
  ],
  [
    'is held with an unknown time',
    { ...heldBegin({ hold: 'unknownTime', ageMs: null }), clockChanges: CLOCK_SET },
  ],
  [
    'counts with a code that was replaced after it',
    beginning({}, {}, { renewals: [shownAt(START + MINUTE)] }),
  ],
  [
    'is held with the code that was replaced',
    heldBegin({ hold: 'replacedOffer' }, {}, { renewals: [shownAt(START)] }),
  ],
  [
    'is held since its test was archived',
    heldBegin({ hold: 'testClosed' }, {}, { archivings: [archivedAt(START)] }),
  ],
  ['is a held one of a student who opened nothing', heldBegin({ hold: 'proof' }, { code: null })],
  [
    'is accepted after its device finished by itself at a wrong deadline',
    {
      ...heldBegin({ decision: 'accept', decidedAt: START + 5 * MINUTE }, {}, SHOWN_LATER),
      attempts: [running],
      journal: [row, { ...finish, outcome: 'superseded', byDeadline: true }],
    },
  ],
  [
    'is accepted after its device finished by itself before a deadline by which the finish came',
    {
      ...heldBegin({ decision: 'accept', decidedAt: DEADLINE + 2 * MINUTE }, {}, SHOWN_LATER),
      attempts: [running],
      journal: [
        row,
        {
          ...finish,
          outcome: 'superseded',
          byDeadline: true,
          receivedAt: DEADLINE + MINUTE,
          ageMs: 5 * MINUTE,
        },
      ],
    },
  ],
  [
    'was unknown to a restored database',
    { ...beginning(null), restores: [START], knownOffers: new Set() },
  ],
  [
    'is held by a clock that was set',
    { ...heldBegin({ hold: 'beforeOffer' }), clockChanges: CLOCK_SET },
  ],
  ['was stored by no killed page', beginning(null, { killed: true })],
  [
    'counts by a former code that a restore brought back',
    { ...beginning({}, {}, { renewals: [shownAt(START)] }), restores: [START] },
  ],
  [
    'counted after a restore until another owner was proven',
    {
      ...beginning({ hold: 'secondDevice' }),
      restores: [START],
      attempts: [{ ...attempt, recoveredAt: row.receivedAt }],
    },
  ],
])('a begin may be one that %s', (_what, evidence) => {
  expect(checkEvidence(evidence)).toEqual([]);
});

test.each([
  ['in memory only', false, []],
  ['stored', true, ['filesAreWhole', 'filesFollow']],
])(
  'the file of an answer that was handed over may be lost with the page that had it %s',
  (_, saved, violated) => {
    const evidence = {
      ...good,
      writes: [{ ...write, saved, questionId: Q.file, body: fileBody }],
      journal: [{ ...row, questionId: Q.file, body: fileBody }, finish],
      attempts: [
        { ...attempt, points: 0, answers: [{ questionId: Q.file, operationId: 'o1' }], files: [] },
      ],
    };
    expect(checkEvidence(evidence).map(({ invariant }) => invariant)).toEqual(violated);
  },
);

test('a finish that was brought in waits for a file that nobody brought in', () => {
  const accepted = heldBegin({ decision: 'accept', decidedAt: START + 5 * MINUTE });
  const named = { ...row, questionId: Q.file, body: fileBody };
  const evidence = {
    ...accepted,
    journal: [named, { ...finish, outcome: 'superseded' as const }],
    attempts: [{ ...running, points: 0, answers: [{ questionId: Q.file, operationId: 'o1' }] }],
  };
  const violated = checkEvidence(evidence).map(({ invariant }) => invariant);
  expect(violated).not.toContain('earlyFinishEnds');
});

test('data lost by a restore together with its device is no violation', () => {
  const evidence: StudentEvidence = {
    ...good,
    journal: [],
    attempts: [],
    onDevices: [],
    lostDevices: new Set(['A']),
    restores: [START + 10 * MINUTE],
  };
  expect(checkEvidence(evidence)).toEqual([]);
});

test('what was written after a begin that a page of 1.0.0 overwrote is held', () => {
  const evidence: StudentEvidence = {
    ...beginning(null),
    journal: [heldRow],
    attempts: [{ ...running, answers: [] }],
  };
  const found = (one: StudentEvidence) => checkEvidence(one).map(({ invariant }) => invariant);
  const wrong = ['lastWordCounts', 'inTimeCounts', 'beginIsStored'];
  expect(found(evidence)).toEqual(expect.arrayContaining(wrong));
  const overwritten = found({ ...evidence, overwrittenBegins: new Set(['s1']) });
  for (const invariant of wrong) expect(overwritten).not.toContain(invariant);
});

test.each<[string, Partial<StudentEvidence>]>([
  ['was wiped', { wipedStreams: new Set(['s1']) }],
  ['is lost with its device', { lostDevices: new Set(['A']) }],
])('what a page of 1.0.0 sent without the begin is held if the begin %s', (_what, gone) => {
  const begun = beginning({ stream: 's2' }, { stream: 's2', device: 'B' });
  const evidence: StudentEvidence = {
    ...begun,
    begins: [...begun.begins, ...beginning(null).begins],
    journal: [heldRow],
    attempts: [{ ...running, answers: [] }],
  };
  const wrong = ['inTimeCounts: o1 was written and came in time, and is held'];
  const found = (one: StudentEvidence) =>
    checkEvidence(one).map(({ invariant, detail }) => `${invariant}: ${detail}`);
  expect(found(evidence)).toEqual(expect.arrayContaining(wrong));
  expect(found({ ...evidence, ...gone })).not.toEqual(expect.arrayContaining(wrong));
  // A stream of a take-over has no begin to lose.
  expect(found({ ...evidence, ...gone, begins: begun.begins })).toEqual(
    expect.arrayContaining(wrong),
  );
});

test('what was handed over may be folded after its sequence turned out to be taken', () => {
  const folded = { ...deviceOperation, operationId: 'o0', foldedInto: 'o1', receipt: null };
  const evidence: StudentEvidence = {
    ...good,
    handedOver: new Set(['o0', 'o1']),
    onDevices: [deviceOperation, { ...folded, state: 'folded' }],
  };
  expect(handedOverIsNotFolded(evidence)).toEqual([]);
  expect(handedOverIsNotFolded({ ...evidence, journal: [{ ...row, sequence: 2 }] })).toHaveLength(
    1,
  );
});

test('a finish after the close does not end a deleted attempt that is closed when it is restored', () => {
  const afterClose = { ...finish, receivedAt: DEADLINE + 15 * MINUTE };
  const evidence: StudentEvidence = {
    ...good,
    journal: [row, afterClose],
    attempts: [{ ...running, deleted: true }],
  };
  expect(checkEvidence(evidence)).toEqual([]);
});

test('what counted of two accepted devices stands, though the teacher refuses one afterwards', () => {
  const { storedBegins } = beginning({ hold: 'secondDevice', decision: 'refuse' });
  const evidence: StudentEvidence = {
    ...good,
    writes: [write, { ...write, operationId: 'o2', sequence: 2, body: WRONG }],
    deliveries: [began, delivery, { ...delivery, operationId: 'o2' }],
    storedBegins: storedBegins.map((begin) => ({ ...begin, stream: 's2' })),
  };
  expect(lastWordCounts(evidence)).toEqual(['o2 was written last, o1 counts']);
  const school = { ...good.school, accepted: new Set(['a1']) };
  expect(lastWordCounts({ ...evidence, school })).toEqual([]);
});

test('an answer of a second device that the teacher accepted may count before a later one of the first', () => {
  const { storedBegins } = beginning({ hold: 'secondDevice' });
  const accepted = { ...row, outcome: 'held' as const, decision: 'accepted' as const };
  const later = { ...row, operationId: 'o2', stream: 's2', ordinal: 3 };
  const evidence: StudentEvidence = {
    ...good,
    writes: [write, { ...write, operationId: 'o2', stream: 's2', body: WRONG }],
    deliveries: [began, delivery, { ...delivery, operationId: 'o2' }],
    journal: [accepted, later],
    storedBegins: [],
  };
  expect(lastWordCounts(evidence)).toEqual(['o2 was written last, o1 counts']);
  expect(lastWordCounts({ ...evidence, storedBegins })).toEqual([]);
  const undecided = { ...evidence, storedBegins, journal: [{ ...row }, later] };
  expect(lastWordCounts(undecided)).toEqual(['o2 was written last, o1 counts']);
});

test('an attempt goes on where a full device forgot a finish that waited for its begin', () => {
  const { storedBegins } = beginning({});
  const forgotten = { ...write, operationId: finish.operationId, saved: false };
  const evidence: StudentEvidence = {
    ...good,
    writes: [write, forgotten],
    journal: [{ ...row, sequence: null, ordinal: 5 }, finish],
    storedBegins: storedBegins.map((begin) => ({ ...begin, receivedAt: finish.receivedAt + 1 })),
  };
  expect(nothingAfterFinish(evidence)).toEqual([]);
  const wrong = ['o1 came after the finish and is stored'];
  expect(nothingAfterFinish({ ...evidence, storedBegins: [] })).toEqual(wrong);
  const known = { ...evidence, writes: [write, { ...forgotten, saved: true }] };
  expect(nothingAfterFinish(known)).toEqual(wrong);
});

test('the same sequence before and after a sign-in without space is none that its page knew of', () => {
  const newer = { ...write, operationId: 'o2', at: write.at + 2 * MINUTE, body: WRONG };
  const fullSignIns = [{ device: 'A', at: write.at + MINUTE }];
  const evidence: StudentEvidence = { ...good, writes: [write, newer], fullSignIns };
  expect(sequencesUnique(evidence)).toEqual([]);
  // The newer of the two has to count all the same.
  const renumbered = { ...row, sequence: 2, rank: 2 };
  const first = { ...row, operationId: 'o2', ordinal: 3 };
  const journal = [renumbered, first, finish];
  expect(sequenceFollowsWriting({ ...evidence, journal })).toEqual(['o2 #1 was written after #2']);
});

test('an answer that came after the former window is the teacher’s to count, though minutes were added', () => {
  const moved = new Map([['a1', [minutesAdded]]]);
  const late = { ...delivery, schoolAt: DEADLINE + 16 * MINUTE };
  const attempts = [{ ...reopened, answers: [] }];
  expect(lastWordCounts({ ...good, attempts, moved, deliveries: [began, late] })).toEqual([]);
  const afterMove = { ...late, at: minutesAdded.at + MINUTE };
  expect(lastWordCounts({ ...good, attempts, moved, deliveries: [began, afterMove] })).toEqual([
    'o1 was written last, undefined counts',
  ]);
});

test('a held answer that the teacher refused stays refused, though minutes were added afterwards', () => {
  const moved = new Map([['a1', [minutesAdded]]]);
  const held = { ...row, outcome: 'held' as const };
  const attempts = [{ ...reopened, answers: [] }];
  const evidence = { ...good, attempts, moved, deliveries: [began, delivery] };
  const undecided = { ...evidence, journal: [held, finish] };
  expect(lastWordCounts(undecided)).toEqual(['o1 was written last, undefined counts']);
  const refused = { ...held, decision: 'refused' as const };
  expect(lastWordCounts({ ...evidence, journal: [refused, finish] })).toEqual([]);
});

test('the school’s clock set back between an answer and the minutes does not turn their order round', () => {
  const moved = new Map([['a1', [{ ...minutesAdded, at: DEADLINE + 17 * MINUTE }]]]);
  const late = { ...delivery, at: DEADLINE + 16 * MINUTE, schoolAt: DEADLINE + 20 * MINUTE };
  const attempts = [{ ...reopened, answers: [] }];
  expect(lastWordCounts({ ...good, attempts, moved, deliveries: [began, late] })).toEqual([]);
});

test('an answer that the clock, set back, lets look in time is held once the attempt was over', () => {
  const held = { ...row, outcome: 'held' as const };
  const evidence = (from: number): StudentEvidence => ({
    ...good,
    journal: [held],
    attempts: [{ ...running, answers: [] }],
    schoolClockSteps: [{ at: START, from }],
  });
  expect(inTimeCounts(evidence(DEADLINE + 15 * MINUTE))).toEqual([]);
  expect(inTimeCounts(evidence(DEADLINE + 14 * MINUTE))).toHaveLength(1);
});

test('an answer of the last second before the end of the grace may be held', () => {
  const writtenAt = (schoolAt: number): StudentEvidence => ({
    ...good,
    writes: [{ ...write, at: schoolAt, schoolAt }],
    journal: [{ ...row, outcome: 'held', receivedAt: DEADLINE + MINUTE + 60 }],
    attempts: [{ ...running, answers: [] }],
  });
  expect(inTimeCounts(writtenAt(DEADLINE + MINUTE - 48))).toEqual([]);
  expect(inTimeCounts(writtenAt(DEADLINE + MINUTE - 1_001))).toHaveLength(1);
});

test('an answer received in minutes that a restore forgot goes on to count', () => {
  const evidence: StudentEvidence = {
    ...good,
    journal: [{ ...row, receivedAt: DEADLINE + 25 * MINUTE }],
    moved: new Map([['a1', [minutesAdded]]]),
  };
  expect(lateRule({ ...evidence, restores: [DEADLINE + 26 * MINUTE] })).toEqual([]);
  expect(lateRule(evidence)).toHaveLength(1);
});

test('answers written in time and received within the window may count', () => {
  const evidence: StudentEvidence = {
    ...good,
    journal: [{ ...row, receivedAt: late, receivedLate: true, ageMs: late - write.at }],
    attempts: [running],
  };
  expect(checkEvidence(evidence)).toEqual([]);
});

describe('the receipt of an automatic finish', () => {
  const [receipt] = good.receipts;
  const finishOnly = (more: Partial<StudentEvidence>): StudentEvidence => ({
    ...good,
    receipts: receipt ? [{ ...receipt, operationId: 'f1', at: START + 3 * MINUTE }] : [],
    journal: [row],
    attempts: [running],
    onDevices: [],
    wipedStreams: new Set(['s1']),
    ...more,
  });

  test.each<[string, Partial<StudentEvidence>]>([
    ['of a wiped device', {}],
    ['that a full device never stored', { wipedStreams: new Set(), madeWhenFull: new Set(['f1']) }],
  ])('%s may be lost after a restore', (_what, more) => {
    expect(checkEvidence(finishOnly({ restores: [START + 9 * MINUTE], ...more }))).toEqual([]);
  });

  test.each<[string, Partial<StudentEvidence>]>([
    ['without a restore', {}],
    ['when the restore came before it', { restores: [START + MINUTE] }],
    [
      'when the device was not wiped',
      { restores: [START + 9 * MINUTE], wipedStreams: new Set(['s2']) },
    ],
    [
      'of a full device without a restore',
      { wipedStreams: new Set(), madeWhenFull: new Set(['f1']) },
    ],
    [
      'when the device had room for it',
      {
        restores: [START + 9 * MINUTE],
        wipedStreams: new Set(),
        madeWhenFull: new Set(['other']),
      },
    ],
  ])('may not be lost %s', (_what, more) => {
    expect(namesOf(finishOnly(more))).toContain('acknowledgedStays');
  });
});

test.each<[string, StudentEvidence]>([
  ['stored and acknowledged', crowding()],
  ['stored, and not acknowledged', crowding({ status: 503, receipt: null })],
  [
    'refused, since it answers no question',
    crowding({ isValid: false, status: 422, receipt: null }, null),
  ],
])('an answer among others may be %s', (_what, evidence) => {
  expect(checkEvidence(evidence)).toEqual([]);
});

test('a list of the dishonest student may be refused, for an own attempt or as for none', () => {
  const refusals = [attacked, { ...attacked, isOwn: false, status: 404, bytes: 20_480 }];
  expect(checkEvidence(cheating(refusals))).toEqual([]);
});

test.each<[string, StudentEvidence]>([
  ['sent before the result was seen', cheating([atOnce, saw])],
  [
    'written after minutes were added',
    cheating([saw, { kind: 'minutes', attemptId: 'a1' }, atOnce]),
  ],
  ['accepted by the teacher', cheating([saw, atOnce], { decision: 'accepted', outcome: 'held' })],
  [
    'held, and counted by added minutes, before the result was seen',
    cheating([{ ...atOnce, outcome: 'held' }, { kind: 'minutes', attemptId: 'a1' }, saw]),
  ],
  [
    'counted by added minutes, and sent once more after the result was seen',
    cheating([{ ...atOnce, outcome: 'held' }, { kind: 'minutes', attemptId: 'a1' }, saw, atOnce]),
  ],
  ['in time, whatever it claims', cheating([{ ...atOnce, claimedAt: 0 }])],
  [
    'of unknown age in the window',
    cheating([{ ...atOnce, claimedAt: null }], { receivedAt: late }),
  ],
])('an answer of the dishonest student may count if %s', (_what, evidence) => {
  expect(checkEvidence(evidence)).toEqual([]);
});

describe('a shown answer is replaced', () => {
  const other: JournalRow = {
    ...row,
    operationId: 'o2',
    stream: 's2',
    epoch: 2,
    sequence: 1,
    rank: 1,
    ordinal: 1,
    body: WRONG,
  };
  const mine: JournalRow = { ...row, ordinal: 2, outcome: 'superseded' };
  const known = { journal: [other, mine], onDevices: [deviceOperation], named: new Set(['o2']) };

  test.each<[string, Parameters<typeof isOutranked>[2]]>([
    ['of a later stream', known],
    [
      'of a later stream while its own still waits',
      { ...known, journal: [other], onDevices: [{ ...deviceOperation, state: 'waiting' }] },
    ],
    [
      'of the same stream with a higher sequence',
      { ...known, journal: [{ ...other, epoch: 1, sequence: 2, rank: 2 }, mine] },
    ],
  ])('by one on the server %s', (_what, those) => {
    expect(isOutranked(write, WRONG, those)).toBe(true);
  });

  test.each<[string, Parameters<typeof isOutranked>[2]]>([
    ['that is not on the server', { ...known, journal: [mine] }],
    ['that the server did not report to the device', { ...known, named: new Set() }],
    ['of another question', { ...known, journal: [{ ...other, questionId: Q.file }, mine] }],
    ['of another attempt', { ...known, journal: [{ ...other, attemptId: 'a2' }, mine] }],
    ['that is held', { ...known, journal: [{ ...other, outcome: 'held' }, mine] }],
    ['of an earlier stream', { ...known, journal: [other, { ...mine, epoch: 3 }] }],
    [
      'with a lower sequence',
      {
        ...known,
        journal: [
          { ...other, epoch: 1 },
          { ...mine, sequence: 2, rank: 2 },
        ],
      },
    ],
    [
      'with a lower sequence than what still waits',
      {
        ...known,
        journal: [{ ...other, epoch: 1 }],
        onDevices: [{ ...deviceOperation, state: 'waiting', sequence: 2 }],
      },
    ],
    ['when its own is lost', { ...known, journal: [other], onDevices: [] }],
    ['when its own was acknowledged and is missing', { ...known, journal: [other] }],
  ])('by none %s', (_what, those) => {
    expect(isOutranked(write, WRONG, those)).toBe(false);
  });

  test('by no other text', () => {
    expect(isOutranked(write, `${WRONG} `, known)).toBe(false);
  });
});
