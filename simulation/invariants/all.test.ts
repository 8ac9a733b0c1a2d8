import { describe, expect, test } from 'vitest';
import type { StudentEvidence } from '#simulation/evidence.ts';
import { Q } from '#tests/school.ts';
import { checkEvidence, INVARIANTS } from './all.ts';
import {
  MINUTE,
  START,
  DEADLINE,
  RIGHT,
  WRONG,
  write,
  row,
  finish,
  attempt,
  minutesAdded,
  reopened,
  deviceOperation,
  delivery,
  began,
  good,
  late,
  running,
  atOnce,
  saw,
  attacked,
  cheating,
  crowding,
  fileBody,
  picking,
  sending,
  lackingFile,
  typing,
  waiting,
  beginning,
  shownAt,
  heldBegin,
  CLOCK_SET,
  NO_REASON,
  namesOf,
} from '#simulation/test-evidence.ts';

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
  filesAreWhole: [['a file that was never complete', lackingFile]],
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
