import { expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { createTyping } from './typing.ts';

const text = (words: string): Answer => ({ questionId: 'q', kind: 'open', text: words });
const wordsOf = (answer: Answer) => (answer.kind === 'open' ? answer.text : '');

function setUp(store: (answer: Answer) => Promise<unknown>) {
  let now = 0;
  const due = new Map<object, { at: number; run: () => void }>();
  const failures: unknown[] = [];
  const typing = createTyping({
    store,
    onFailure: (cause) => failures.push(cause),
    timers: {
      set(run, ms) {
        const timer = {};
        due.set(timer, { at: now + ms, run });
        return timer;
      },
      clear: (timer) => due.delete(timer as object),
    },
  });
  /** Lets time pass, timer by timer, with the tasks that each timer starts. */
  async function pass(ms: number): Promise<void> {
    const end = now + ms;
    for (;;) {
      const [first] = [...due].sort(([, a], [, b]) => a.at - b.at);
      if (!first || first[1].at > end) break;
      due.delete(first[0]);
      now = first[1].at;
      first[1].run();
      await new Promise((resolve) => setImmediate(resolve));
    }
    now = end;
  }
  return { typing, pass, failures, now: () => now };
}

test('typing is stored at the latest 500 ms after the last key', async () => {
  const store = vi.fn<(answer: Answer) => Promise<void>>(() => Promise.resolve());
  const { typing, pass } = setUp(store);
  typing.type(text('4'));
  typing.type(text('4,9'));
  await pass(499);
  expect(store).not.toHaveBeenCalled();
  await pass(1);
  expect(store.mock.calls).toEqual([[text('4,9')]]);
  expect(typing.answerOf('q')).toBeNull();
});

test.each([50, 135, 350, 499])(
  'typing that never pauses, a key each %i ms, is stored within a second of every key',
  async (everyMs) => {
    const typedAt: number[] = [];
    const waits: number[] = [];
    const { typing, pass, now } = setUp(async (answer) => {
      const length = wordsOf(answer).length;
      for (const at of typedAt.slice(waits.length, length)) waits.push(now() - at);
    });
    let typed = '';
    for (let key = 0; key < 100; key += 1) {
      typed += 'а';
      typedAt.push(now());
      typing.type(text(typed));
      await pass(everyMs);
    }
    expect(Math.max(...waits)).toBeLessThan(1_000);
    expect(waits.length).toBeGreaterThan(100 - 1_000 / everyMs);
  },
);

test('text typed during a slow write is stored as soon as that write ends', async () => {
  const stored: string[] = [];
  let finishFirst: () => void = () => undefined;
  const { typing, pass } = setUp((answer) => {
    stored.push(wordsOf(answer));
    return stored.length === 1
      ? new Promise<void>((resolve) => (finishFirst = resolve))
      : Promise.resolve();
  });
  typing.type(text('а'));
  await pass(500);
  typing.type(text('аб'));
  await pass(3_000);
  expect(stored).toEqual(['а']);
  finishFirst();
  await vi.waitFor(() => expect(stored).toEqual(['а', 'аб']));
});

test('a question that cannot be stored leaves the others alone, and its error is reported', async () => {
  const stored: string[] = [];
  const { typing, pass, failures } = setUp((answer) => {
    if (answer.questionId === 'q') return Promise.reject(new Error('no room'));
    stored.push(answer.questionId);
    return Promise.resolve();
  });
  typing.type(text('а'));
  typing.type({ questionId: 'other', kind: 'gaps', gaps: [] });
  await pass(500);
  expect(stored).toEqual(['other']);
  expect(failures.map(String)).toEqual(['Error: no room']);
  expect(typing.answerOf('q')).toEqual(text('а'));
});

test('text typed during a write is stored by the next write and never lost', async () => {
  const stored: string[] = [];
  let finishFirst: () => void = () => undefined;
  const { typing } = setUp((answer) => {
    stored.push(wordsOf(answer));
    return stored.length === 1
      ? new Promise<void>((resolve) => (finishFirst = resolve))
      : Promise.resolve();
  });
  typing.type(text('a'));
  const first = typing.commit();
  await vi.waitFor(() => expect(stored).toEqual(['a']));
  typing.type(text('ab'));
  finishFirst();
  await first;
  expect(typing.answerOf('q')).toEqual(text('ab'));
  await typing.commit();
  expect(stored).toEqual(['a', 'ab']);
});

test('a failed write retains its text for a retry', async () => {
  let fails = true;
  const stored: string[] = [];
  const { typing } = setUp((answer) => {
    if (fails) return Promise.reject(new Error('no room'));
    stored.push(wordsOf(answer));
    return Promise.resolve();
  });
  typing.type(text('a'));
  await expect(typing.commit()).rejects.toThrow('no room');
  expect(typing.answerOf('q')).toEqual(text('a'));
  fails = false;
  await typing.commit();
  expect(stored).toEqual(['a']);
});

test('after the deadline no input is accepted: the stored text is shown', async () => {
  const stored: string[] = [];
  let finishStore: () => void = () => undefined;
  const { typing } = setUp((answer) => {
    stored.push(wordsOf(answer));
    return new Promise<void>((resolve) => (finishStore = resolve));
  });
  typing.type(text('ab'));
  typing.close();
  const committed = typing.commit();
  await vi.waitFor(() => expect(stored).toEqual(['ab']));
  // The field stays editable until the screen re-renders it as locked.
  typing.type(text('abc'));
  finishStore();
  await committed;
  expect(typing.answerOf('q')).toBeNull();
  expect(stored).toEqual(['ab']);
  typing.reopen();
  typing.type(text('abd'));
  expect(typing.answerOf('q')).toEqual(text('abd'));
});

test('each key puts off the write of a pause', async () => {
  const store = vi.fn<(answer: Answer) => Promise<void>>(() => Promise.resolve());
  const { typing, pass } = setUp(store);
  typing.type(text('4'));
  await pass(200);
  typing.type(text('4,'));
  await pass(499);
  expect(store).not.toHaveBeenCalled();
  await pass(1);
  expect(store).toHaveBeenCalledOnce();
});

test('returns whether a key was accepted and will be stored', () => {
  const { typing } = setUp(() => Promise.resolve());
  expect(typing.type(text('4'))).toBe(true);
  typing.close();
  expect(typing.type(text('4,9'))).toBe(false);
});
