import { expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { createTyping, STORE_AFTER_MS } from './typing.ts';

const text = (words: string): Answer => ({ questionId: 'q', kind: 'open', text: words });
const wordsOf = (answer: Answer) => (answer.kind === 'open' ? answer.text : '');

function setUp(store: (answer: Answer) => Promise<unknown>) {
  let pending: { run: () => void; ms: number } | null = null;
  const typing = createTyping(store, {
    set(run, ms) {
      pending = { run, ms };
      return pending;
    },
    clear(timer) {
      if (pending === timer) pending = null;
    },
  });
  return {
    typing,
    delay: () => pending?.ms ?? null,
    fire: () => pending?.run(),
  };
}

test('typing is stored at the latest 500 ms after the last key', async () => {
  const store = vi.fn<(answer: Answer) => Promise<void>>(() => Promise.resolve());
  const { typing, delay, fire } = setUp(store);
  typing.type(text('4'));
  typing.type(text('4,9'));
  expect(delay()).toBe(STORE_AFTER_MS);
  expect(STORE_AFTER_MS).toBeLessThanOrEqual(500);
  fire();
  await typing.commit();
  expect(store.mock.calls).toEqual([[text('4,9')]]);
  expect(typing.answerOf('q')).toBeNull();
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

test('a failed write keeps its text for the next attempt', async () => {
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
