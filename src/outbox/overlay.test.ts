import { describe, expect, test } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import {
  countAnswers,
  mergeSaved,
  overlay,
  unsentQuestions,
  type OverlayInput,
} from './overlay.ts';
import { ATTEMPT, attempt, file, OLDER, operation, STREAM } from './test-rows.ts';
import { syncView, type SyncFacts } from './view.ts';
import { id, open, QUESTIONS } from './fake-server.ts';

describe('overlay', () => {
  const running = attempt({ state: 'running', finishedAt: null });
  const question = {
    questionId: QUESTIONS[0],
    text: '',
    points: 1,
    kind: 'open',
    input: 'line',
  } as const;
  const server = (text: string, epoch: number, sequence: number) => ({
    ...NO_SAVED_ANSWERS,
    openAnswers: [
      {
        questionId: QUESTIONS[0],
        kind: 'open' as const,
        text,
        operationId: id(),
        epoch,
        sequence,
        receivedAt: '2026-05-21T07:00:00.000Z',
        receivedLate: false,
      },
    ],
  });
  const inputOf = (changes: Partial<OverlayInput>): OverlayInput => ({
    attempt: running,
    questions: [question],
    saved: null,
    operations: [],
    files: [],
    sending: new Set(),
    unsaved: new Set(),
    broken: 0,
    ...changes,
  });
  const show = (changes: Partial<OverlayInput>) => {
    const [view] = overlay(inputOf(changes));
    return [view?.answer?.kind === 'open' ? view.answer.text : null, view?.stage];
  };
  const own = (text: string, changes: Partial<OperationRow> = {}): OperationRow =>
    operation({ answer: open(text), sequence: 5, ...changes });
  const acknowledged = { state: 'acknowledged', acknowledgedAt: 5 } as const;
  const superseded = {
    ...acknowledged,
    receipt: { outcome: 'superseded' },
  } as Partial<OperationRow>;

  const HELD = id();
  const held = {
    ...acknowledged,
    operationId: HELD,
    receipt: { outcome: 'held' },
  } as Partial<OperationRow>;
  const named = server('м', 2, 5);
  const accepted = {
    ...named,
    openAnswers: named.openAnswers.map((one) => ({ ...one, operationId: HELD })),
  };

  test.each<[string, Partial<OverlayInput>, [string | null, string]]>([
    ['nothing anywhere', {}, [null, 'none']],
    ['the server’s answer', { saved: server('с', 1, 1) }, ['с', 'server']],
    [
      'waiting over the server',
      { saved: server('с', 1, 1), operations: [own('м')] },
      ['м', 'device'],
    ],
    [
      'waiting over even a greater answer of the server while this device owns the attempt',
      { saved: server('с', 9, 9), operations: [own('м')] },
      ['м', 'device'],
    ],
    [
      'one that waits again after a restore over even a greater answer of the former server',
      { saved: server('с', 9, 9), operations: [own('м', { ...acknowledged, state: 'waiting' })] },
      ['м', 'device'],
    ],
    ['acknowledged over nothing', { operations: [own('м', acknowledged)] }, ['м', 'server']],
    [
      'acknowledged over an older reading',
      { saved: server('с', 2, 4), operations: [own('м', acknowledged)] },
      ['м', 'server'],
    ],
    [
      'a greater answer of the server over an acknowledged one',
      { saved: server('с', 3, 1), operations: [own('м', acknowledged)] },
      ['с', 'server'],
    ],
    [
      'a superseded one as long as the answer that beat it is not known',
      { saved: server('с', 2, 4), operations: [own('м', superseded)] },
      ['м', 'server'],
    ],
    [
      'the answer that beat a superseded one',
      { saved: server('с', 3, 1), operations: [own('м', superseded)] },
      ['с', 'server'],
    ],
    ['one that waits for the teacher', { operations: [own('м', held)] }, ['м', 'held']],
    [
      'one that the teacher has accepted',
      { saved: accepted, operations: [own('м', held)] },
      ['м', 'server'],
    ],
    ['a folded one never', { operations: [own('м', { state: 'folded' })] }, [null, 'none']],
    [
      'one set aside, over its predecessor that goes instead',
      { operations: [own('п', { sequence: 4 }), own('м', { state: 'setAside' })] },
      ['м', 'setAside'],
    ],
    [
      'a poisoned one as set aside',
      { operations: [own('м', { poisoned: true })] },
      ['м', 'setAside'],
    ],
    [
      'an older stream where the server has nothing',
      { operations: [own('д', { stream: OLDER, epoch: 1 })] },
      ['д', 'device'],
    ],
    [
      'the server over an older stream that wrote less',
      { saved: server('с', 1, 6), operations: [own('д', { stream: OLDER, epoch: 1 })] },
      ['с', 'server'],
    ],
    [
      'an older stream over what it had sent before',
      { saved: server('с', 1, 1), operations: [own('д', { stream: OLDER, epoch: 1 })] },
      ['д', 'device'],
    ],
    [
      'the server over what is waiting on a device that was taken over',
      {
        saved: server('с', 3, 1),
        attempt: { ...running, takenOver: true },
        operations: [own('м')],
      },
      ['с', 'server'],
    ],
  ])('shows %s', (_name, input, expected) => {
    expect(show(input)).toEqual(expected);
  });

  test('shows sending and unsaved for exactly that operation', () => {
    const one = own('м');
    const ids = new Set([one.operationId]);
    expect(show({ operations: [one], sending: ids })).toEqual(['м', 'sending']);
    expect(show({ operations: [one], unsaved: ids })).toEqual(['м', 'unsaved']);
  });

  test('an answer only in memory counts as unsaved while it is being sent, until its receipt', () => {
    const one = own('м');
    const ids = new Set([one.operationId]);
    const count = (row: OperationRow) => {
      const input = inputOf({ operations: [row], sending: ids, unsaved: ids });
      return countAnswers(input, overlay(input)).unsaved;
    };
    expect(count(one)).toBe(1);
    expect(count({ ...one, ...acknowledged })).toBe(0);
  });

  test('each question has its answer and whether it is answered, and these are counted', () => {
    const others = [1, 2].map((index) => ({ ...question, questionId: QUESTIONS[index] ?? '' }));
    const input = inputOf({
      questions: [question, ...others],
      operations: [
        own('м'),
        operation({ questionId: QUESTIONS[1], answer: open(' ', 1), sequence: 6 }),
      ],
    });
    const views = overlay(input);
    expect(views.map(({ questionId, answer, answered }) => [questionId, answer, answered])).toEqual(
      [
        [QUESTIONS[0], open('м'), true],
        [QUESTIONS[1], open(' ', 1), false],
        [QUESTIONS[2], null, false],
      ],
    );
    expect(countAnswers(input, views)).toMatchObject({ total: 3, answered: 1 });
  });

  test('a later read replaces answers by (epoch, sequence) and never by absence', () => {
    const before = server('до', 1, 5);
    expect(mergeSaved(before, server('после', 1, 6)).openAnswers[0]?.text).toBe('после');
    expect(mergeSaved(before, server('раньше', 1, 4)).openAnswers[0]?.text).toBe('до');
    expect(mergeSaved(before, { ...before, openAnswers: [] }).openAnswers[0]?.text).toBe('до');
  });
});

describe('sync indicator', () => {
  const facts: SyncFacts = {
    waiting: 2,
    setAside: 0,
    signedIn: true,
    pause: null,
    reachability: 'reachable',
    unstorable: false,
    secondTab: false,
    takenOver: false,
  };

  test.each<[Partial<SyncFacts>, string, number]>([
    [{ waiting: 0 }, 'delivered', 0],
    [{}, 'sending', 2],
    [{ reachability: 'unknown' }, 'sending', 2],
    [{ reachability: 'offline' }, 'offline', 2],
    [{ reachability: 'offline', waiting: 0 }, 'offline', 0],
    [{ reachability: 'silent' }, 'silent', 2],
    [{ signedIn: false }, 'signedOut', 2],
    [{ signedIn: false, waiting: 0 }, 'delivered', 0],
    [{ pause: 'signIn' }, 'signedOut', 2],
    [{ setAside: 1, reachability: 'offline' }, 'setAside', 1],
    [{ unstorable: true, setAside: 1 }, 'unstorable', 2],
    [{ takenOver: true, unstorable: true }, 'takenOver', 2],
    [{ secondTab: true, takenOver: true }, 'secondTab', 2],
  ])('%j shows %s', (changes, kind, count) => {
    expect(syncView({ ...facts, ...changes })).toEqual({ kind, count });
  });
});

describe('the view of a question', () => {
  const running = attempt({ state: 'running', finishedAt: null, marks: [QUESTIONS[1]] });
  const questions = QUESTIONS.map((questionId) => ({
    questionId,
    text: '',
    points: 1,
    kind: 'open' as const,
    input: 'line' as const,
  }));
  const inputOf = (changes: Partial<OverlayInput>): OverlayInput => ({
    attempt: running,
    questions,
    saved: null,
    operations: [],
    files: [],
    sending: new Set(),
    unsaved: new Set(),
    broken: 3,
    ...changes,
  });
  const first = (changes: Partial<OverlayInput>) => overlay(inputOf(changes))[0];
  const refusal = { status: 403, code: 'FORBIDDEN', message: 'нет' };
  const receipt = { outcome: 'stored' } as OperationRow['receipt'];
  const NOTHING = {
    ...NO_SAVED_ANSWERS,
  };
  const place = {
    operationId: id(),
    epoch: 1,
    sequence: 1,
    receivedAt: '2026-05-21T07:00:00.000Z',
    receivedLate: false,
  };
  const [questionId] = QUESTIONS;
  const plain = {
    open: { questionId, kind: 'open' as const, text: 'да' },
    variant: { questionId, kind: 'variant' as const, optionIds: [id()] },
    compliance: {
      questionId,
      kind: 'compliance' as const,
      pairs: [{ leftId: id(), rightId: id() }],
    },
    ordering: { questionId, kind: 'ordering' as const, itemIds: [id(), id()] },
    file: {
      questionId,
      kind: 'file' as const,
      fileId: id(),
      name: 'а',
      size: 1,
      mimeType: '',
      sha256: '',
    },
  };

  test.each([
    ['openAnswers', plain.open],
    ['variantAnswers', plain.variant],
    ['complianceAnswers', plain.compliance],
    ['orderingAnswers', plain.ordering],
    ['fileAnswers', plain.file],
  ] as const)('the server’s %s are shown as answers with their times', (group, answer) => {
    const saved = { ...NOTHING, [group]: [{ ...answer, ...place }] };
    expect(first({ saved })).toEqual({
      questionId,
      answer,
      answered: true,
      stage: 'server',
      at: Date.parse(place.receivedAt),
      marked: false,
      receipt: null,
      refusal: null,
      upload: null,
    });
    const joined = mergeSaved(saved, NOTHING);
    expect(joined, 'an empty reading takes nothing away').toEqual(saved);
    expect(mergeSaved(null, saved)).toEqual(saved);
  });

  test('of two reads of the same (epoch, sequence) the later one is stored', () => {
    const reading = (text: string) => ({
      ...NOTHING,
      openAnswers: [{ ...plain.open, ...place, text }],
    });
    expect(mergeSaved(reading('раньше'), reading('позже'))).toEqual(reading('позже'));
  });

  test('local operations are shown with their own times, receipt and refusal', () => {
    const written = { writtenServer: 7, acknowledgedAt: 9, receipt, refusal };
    const show = (changes: Partial<OperationRow>) =>
      first({ operations: [operation({ ...written, ...changes })] });
    const none = { receipt: null, refusal: null };
    expect(show({})).toMatchObject({ questionId, stage: 'device', at: 7, ...none });
    expect(show({ state: 'acknowledged' })).toMatchObject({
      stage: 'server',
      at: 9,
      receipt,
      refusal: null,
    });
    expect(show({ state: 'setAside' })).toMatchObject({
      stage: 'setAside',
      at: 7,
      receipt: null,
      refusal,
    });
    expect(show({ poisoned: true, refusal: null })).toMatchObject({ stage: 'setAside', ...none });
  });

  test('marks are shown on answered and unanswered questions alike', () => {
    const one = operation({ questionId: QUESTIONS[1] });
    for (const operations of [[], [one]]) {
      const marks = overlay(inputOf({ operations })).map(({ marked }) => marked);
      expect(marks).toEqual([false, true, false, false]);
    }
  });

  test('a file shows its progress only while it is being uploaded', () => {
    const sheet = file({ received: 1, size: 3 });
    const one = operation({
      fileId: sheet.fileId,
      answer: { ...plain.file, fileId: sheet.fileId },
    });
    const show = (changes: Partial<OverlayInput>) =>
      first({ operations: [one], files: [file(), sheet], ...changes })?.upload;
    const uploading = { received: 1, size: 3 };
    expect(show({})).toEqual(uploading);
    expect(show({ sending: new Set([one.operationId]) })).toEqual(uploading);
    expect(show({ unsaved: new Set([one.operationId]) })).toBeNull();
    expect(show({ files: [file(), { ...sheet, state: 'complete' }] })).toBeNull();
    expect(show({ files: [file()] })).toBeNull();
    expect(show({ operations: [{ ...one, state: 'setAside' }] })).toBeNull();
  });

  test('a local answer with the same (epoch, sequence) as the server’s is shown', () => {
    const one = operation({ state: 'acknowledged', epoch: 1, sequence: 1, answer: open('своё') });
    const saved = { ...NOTHING, openAnswers: [{ ...plain.open, ...place }] };
    for (const stream of [STREAM, OLDER])
      expect(first({ saved, operations: [{ ...one, stream }] })?.answer).toEqual(open('своё'));
  });

  test('of several local answers the greatest (epoch, sequence) is shown, in any row order', () => {
    const older = operation({ sequence: 4, answer: open('раньше') });
    const newer = operation({ sequence: 5, answer: open('позже') });
    const later = operation({ sequence: 1, epoch: 3, answer: open('в новом потоке') });
    const text = (...operations: OperationRow[]) => first({ operations })?.answer;
    expect(text(older, newer)).toEqual(open('позже'));
    expect(text(newer, older)).toEqual(open('позже'));
    expect(text(newer, later, older)).toEqual(open('в новом потоке'));
  });

  test('a finish is not an answer', () => {
    const finish = operation({ kind: 'finish', questionId, answer: null });
    expect(first({ operations: [finish] })?.stage).toBe('none');
  });

  test('counts include each question once', () => {
    const [, second, third, fourth] = QUESTIONS;
    const sending = operation({ sequence: 3 });
    const input = inputOf({
      operations: [
        operation(),
        sending,
        operation({ questionId: second, state: 'setAside' }),
        operation({ questionId: third, state: 'acknowledged', answer: open('') }),
        operation({ questionId: fourth, state: 'acknowledged' }),
        operation({ kind: 'finish', questionId: null, answer: null }),
      ],
      sending: new Set([sending.operationId]),
    });
    expect(countAnswers(input, overlay(input))).toEqual({
      total: 4,
      answered: 3,
      marked: 1,
      waiting: 1,
      sending: 1,
      setAside: 1,
      unsaved: 0,
      broken: 3,
    });
  });

  test('answers only in memory are counted by question, until the server has them', () => {
    const [, second, third] = QUESTIONS;
    const operations = [
      operation(),
      operation({ sequence: 2 }),
      operation({ questionId: second, state: 'setAside' }),
      operation({ questionId: third, state: 'acknowledged' }),
      operation({ kind: 'finish', questionId: null, answer: null }),
    ];
    const unsaved = new Set(operations.map(({ operationId }) => operationId));
    const input = inputOf({ operations, unsaved });
    expect(countAnswers(input, overlay(input)).unsaved).toBe(2);
    const device = inputOf({ operations });
    expect(countAnswers(device, overlay(device)).unsaved).toBe(0);
  });

  test('an answer is unsaved while a file that it names, sent with an earlier answer, is only in memory', () => {
    const sheet = file({ questionId: QUESTIONS[0], operationId: id() });
    const { fileId, name, size, mimeType, sha256 } = sheet;
    const answer = {
      questionId: QUESTIONS[0],
      kind: 'file' as const,
      fileId,
      name,
      size,
      mimeType,
      sha256,
    };
    const one = operation({ answer, fileId, sequence: 5 });
    const input = { operations: [one], files: [sheet] };
    const shown = (unsaved: ReadonlySet<string>) => {
      const all = inputOf({ ...input, unsaved });
      const views = overlay(all);
      return [views[0]?.stage, countAnswers(all, views).unsaved];
    };
    expect(shown(new Set([sheet.operationId]))).toEqual(['unsaved', 1]);
    expect(shown(new Set([id()]))).toEqual(['device', 0]);
  });

  test('questions are counted by attempt and by state (waiting, set aside), finishes not at all', () => {
    const other = id();
    const sent = unsentQuestions([
      operation(),
      operation({ sequence: 2 }),
      operation({ attemptId: other }),
      operation({ questionId: QUESTIONS[1], state: 'setAside' }),
      operation({ questionId: QUESTIONS[2], poisoned: true }),
      operation({ questionId: QUESTIONS[3], state: 'acknowledged' }),
      operation({ kind: 'finish', questionId: null, answer: null }),
      operation({ kind: 'finish', questionId: null, answer: null, state: 'setAside' }),
    ]);
    expect([...sent.waiting]).toEqual([`${ATTEMPT}/${questionId}`, `${other}/${questionId}`]);
    expect(sent.setAside.size).toBe(2);
  });
});
