import { expect, test } from 'vitest';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import type { DraftStorage } from '#app/lib/form-draft-storage.ts';
import { StoredSettings, type SettingsDraft } from './settings-draft.ts';

const draft: SettingsDraft = {
  name: 'Законы Ньютона',
  description: '',
  theme: 'physics',
  topic: '',
  language: '',
  difficulty: '',
  attemptsCount: '1',
  startTestTime: '',
  endTestTime: '',
  passTestTime: { hours: '0', minutes: '40' },
  openToAll: false,
  lateWindow: '15',
  countedAttempt: 'best',
  visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
  offlineStart: false,
  offlineWindow: '',
  assignedUserIds: [{ id: 'a', name: 'Анна' }],
  assignedGroupIds: [],
  personalTerms: [
    {
      userId: 'a',
      userName: 'Анна',
      extraMinutes: 'x',
      attemptsCount: '',
      startTestTime: '',
      endTestTime: '',
    },
  ],
};
const stored = { version: 3, base: draft, draft: { ...draft, name: 'Силы' } };

const draftStoreOf = (owner: string, testId: string, open: () => DraftStorage) =>
  createFormDraftStore({ kind: 'settings', owner, testId }, StoredSettings, open);

function memory() {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('a draft is restored to its author, for that test only', () => {
  const storage = memory();
  draftStoreOf('laptewa', 'test', () => storage).save(stored);
  expect(draftStoreOf('laptewa', 'test', () => storage).read()).toEqual(stored);
  expect(draftStoreOf('root', 'test', () => storage).read()).toBeNull();
  expect(draftStoreOf('laptewa', 'other', () => storage).read()).toBeNull();
  draftStoreOf('laptewa', 'test', () => storage).clear();
  expect(storage.map.size).toBe(0);
});

test('invalid content and forbidden storage yield no draft', () => {
  const storage = memory();
  const draftStore = draftStoreOf('laptewa', 'test', () => storage);
  draftStore.save(stored);
  for (const key of storage.map.keys()) storage.map.set(key, '{"version":3}');
  expect(draftStore.read()).toBeNull();
  const forbidden = draftStoreOf('laptewa', 'test', () => {
    throw new Error('SecurityError');
  });
  forbidden.save(stored);
  forbidden.clear();
  expect(forbidden.read()).toBeNull();
});
