import { describe, expect, test } from 'vitest';
import type { StudentEvidence, JournalRow } from '#simulation/evidence.ts';
import { Q } from '#tests/school.ts';
import { checkEvidence } from './all.ts';
import { handedOverIsNotFolded } from './handovers.ts';
import { isOutranked, lastWordCounts, sequenceFollowsWriting, sequencesUnique } from './order.ts';
import {
  MINUTE,
  START,
  DEADLINE,
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
  beginning,
  shownAt,
  archivedAt,
  heldRow,
  heldBegin,
  SHOWN_LATER,
  CAME_LATE,
  CLOCK_SET,
  namesOf,
  sending,
  lackingFile,
} from '#simulation/test-evidence.ts';
import { inTimeCounts, lateRule, nothingAfterFinish } from './time.ts';

/** Histories that look like violations and are none, and where they become some. */

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

test.each<[string, Partial<StudentEvidence>, string[]]>([
  ['that was set aside, on a wiped device', {}, []],
  ['that was never set aside', { everSetAside: new Set() }, ['filesAreWhole']],
  ['on a device that was not wiped', { wipedStreams: new Set(['s2']) }, ['filesAreWhole']],
])('a finish may pass over the file of an answer %s', (_, more, violated) => {
  const evidence: StudentEvidence = {
    ...lackingFile,
    everSetAside: new Set(['o1']),
    wipedStreams: new Set(['s1']),
    ...more,
  };
  expect(checkEvidence(evidence).map(({ invariant }) => invariant)).toEqual(violated);
});

test('an upload of an attempt that a restored server does not know may be refused', () => {
  const refused = sending({ ms: null, isSetAside: true });
  const restored = { ...refused, restores: [START] };
  expect(namesOf(restored)).toContain('slowIsNotRefused');
  const uploads = restored.uploads.map((one) => ({ ...one, attemptId: 'forgotten' }));
  expect(namesOf({ ...restored, uploads })).not.toContain('slowIsNotRefused');
  expect(namesOf({ ...refused, uploads })).toContain('slowIsNotRefused');
});

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
