import { expect, test } from 'vitest';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import type { DraftStorage } from '#app/lib/form-draft-storage.ts';
import { openDrafts, StoredGrades, type GradeDraft } from './drafts.ts';

const draft: GradeDraft = { points: '2,', comment: 'Где', reason: '', operationId: null };

const open = (storage: DraftStorage) =>
  openDrafts(createFormDraftStore({ kind: 'grading', owner: 't' }, StoredGrades, () => storage));

function memory(initial: Record<string, string> = {}) {
  const values = new Map(Object.entries(initial));
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test('a draft survives a reload until it is saved', () => {
  const storage = memory();
  open(storage).set('a', draft);
  const reloaded = open(storage);
  expect(reloaded.get('a')).toEqual(draft);
  reloaded.set('a', undefined);
  expect(open(storage).has('a')).toBe(false);
});

test.each(['nonsense', '[]', '{"a": 1}', 'null'])('a stored %s counts as no drafts', (text) => {
  expect(open(memory({ 'grading:t': text })).has('a')).toBe(false);
});

test('without storage drafts stay in memory', () => {
  const full = {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('full');
    },
    removeItem: () => undefined,
  };
  const drafts = open(full);
  drafts.set('a', draft);
  expect(drafts.get('a')).toEqual(draft);
});
