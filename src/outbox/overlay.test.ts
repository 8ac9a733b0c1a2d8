import { describe, expect, test } from 'vitest';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { countAnswers, mergeSaved, overlay, type OverlayInput } from './overlay.ts';
import { syncView, type SyncFacts } from './sync-view.ts';
import { id, open, QUESTIONS } from './fake-server.ts';

const ATTEMPT = id();
const STREAM = id();
const OLDER = id();

function operation(changes: Partial<OperationRow> = {}): OperationRow {
  return {
    operationId: id(),
    owner: id(),
    attemptId: ATTEMPT,
    stream: STREAM,
    epoch: 2,
    sequence: 1,
    formerSequences: [],
    kind: 'answer',
    questionId: QUESTIONS[0],
    answer: open('да'),
    fileId: null,
    finishReason: null,
    writtenEra: 0,
    writtenWall: 100,
    writtenServer: 100,
    seenServerTime: null,
    state: 'waiting',
    sent: false,
    failures: 0,
    poisoned: false,
    foldedInto: null,
    refusal: null,
    receipt: null,
    acknowledgedAt: null,
    serverEpoch: null,
    ...changes,
  };
}

describe('overlay', () => {
  const attempt: AttemptRow = {
    attemptId: ATTEMPT,
    owner: id(),
    testId: id(),
    title: '',
    attemptNumber: 1,
    attemptsCount: 1,
    totalQuestions: 1,
    stream: STREAM,
    streams: [],
    startedAt: 0,
    deadline: 1,
    countsUntil: 2,
    state: 'running',
    finishedAt: null,
    takenOver: false,
    gone: false,
    marks: [],
    lastQuestionId: null,
  };
  const question = {
    questionId: QUESTIONS[0],
    text: '',
    points: 1,
    kind: 'open',
    input: 'line',
  } as const;
  const server = (text: string, epoch: number, sequence: number) => ({
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
    variantAnswers: [],
    complianceAnswers: [],
    fileAnswers: [],
  });
  const inputOf = (changes: Partial<OverlayInput>): OverlayInput => ({
    attempt,
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
  const mine = (text: string, changes: Partial<OperationRow> = {}): OperationRow =>
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
      { saved: server('с', 1, 1), operations: [mine('м')] },
      ['м', 'device'],
    ],
    [
      'waiting over even a greater answer of the server while this device owns the attempt',
      { saved: server('с', 9, 9), operations: [mine('м')] },
      ['м', 'device'],
    ],
    ['acknowledged over nothing', { operations: [mine('м', acknowledged)] }, ['м', 'server']],
    [
      'acknowledged over an older reading',
      { saved: server('с', 2, 4), operations: [mine('м', acknowledged)] },
      ['м', 'server'],
    ],
    [
      'a greater answer of the server over an acknowledged one',
      { saved: server('с', 3, 1), operations: [mine('м', acknowledged)] },
      ['с', 'server'],
    ],
    [
      'a superseded one as long as the answer that beat it is not known',
      { saved: server('с', 2, 4), operations: [mine('м', superseded)] },
      ['м', 'server'],
    ],
    [
      'the answer that beat a superseded one',
      { saved: server('с', 3, 1), operations: [mine('м', superseded)] },
      ['с', 'server'],
    ],
    ['one that waits for the teacher', { operations: [mine('м', held)] }, ['м', 'held']],
    [
      'one that the teacher has accepted',
      { saved: accepted, operations: [mine('м', held)] },
      ['м', 'server'],
    ],
    ['a folded one never', { operations: [mine('м', { state: 'folded' })] }, [null, 'none']],
    [
      'one set aside, over its predecessor that goes instead',
      { operations: [mine('п', { sequence: 4 }), mine('м', { state: 'setAside' })] },
      ['м', 'setAside'],
    ],
    [
      'a poisoned one as set aside',
      { operations: [mine('м', { poisoned: true })] },
      ['м', 'setAside'],
    ],
    [
      'an older stream where the server has nothing',
      { operations: [mine('д', { stream: OLDER, epoch: 1 })] },
      ['д', 'device'],
    ],
    [
      'the server over an older stream that wrote less',
      { saved: server('с', 1, 6), operations: [mine('д', { stream: OLDER, epoch: 1 })] },
      ['с', 'server'],
    ],
    [
      'an older stream over what it had sent before',
      { saved: server('с', 1, 1), operations: [mine('д', { stream: OLDER, epoch: 1 })] },
      ['д', 'device'],
    ],
    [
      'the server over what is waiting on a device that was taken over',
      {
        saved: server('с', 3, 1),
        attempt: { ...attempt, takenOver: true },
        operations: [mine('м')],
      },
      ['с', 'server'],
    ],
  ])('shows %s', (_name, input, expected) => {
    expect(show(input)).toEqual(expected);
  });

  test('says sending and unsaved of the very operation', () => {
    const one = mine('м');
    const ids = new Set([one.operationId]);
    expect(show({ operations: [one], sending: ids })).toEqual(['м', 'sending']);
    expect(show({ operations: [one], unsaved: ids })).toEqual(['м', 'unsaved']);
  });

  test('an answer that memory alone holds counts as unsaved while it is sent, until its receipt', () => {
    const one = mine('м');
    const ids = new Set([one.operationId]);
    const count = (row: OperationRow) => {
      const input = inputOf({ operations: [row], sending: ids, unsaved: ids });
      return countAnswers(input, overlay(input)).unsaved;
    };
    expect(count(one)).toBe(1);
    expect(count({ ...one, ...acknowledged })).toBe(0);
  });

  test('a later reading replaces by place and never by absence', () => {
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
