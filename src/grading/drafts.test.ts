import { expect, test } from 'vitest';
import { openDrafts, type Draft } from './drafts.ts';

const draft: Draft = { points: '2,', comment: 'Где', reason: '', operationId: null };

function memory(initial: Record<string, string> = {}) {
  const values = new Map(Object.entries(initial));
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

test('what was typed is there after a reload, until it is saved', () => {
  const storage = memory();
  openDrafts('t', storage).set('a', draft);
  const reloaded = openDrafts('t', storage);
  expect(reloaded.get('a')).toEqual(draft);
  reloaded.set('a', undefined);
  expect(openDrafts('t', storage).has('a')).toBe(false);
});

test.each(['nonsense', '[]', '{"a": 1}', 'null'])('a stored %s is as if nothing was', (text) => {
  expect(openDrafts('t', memory({ 'grading:t': text })).has('a')).toBe(false);
});

test('where nothing can be stored, memory keeps it', () => {
  const full = {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('full');
    },
  };
  const drafts = openDrafts('t', full);
  drafts.set('a', draft);
  expect(drafts.get('a')).toEqual(draft);
});
