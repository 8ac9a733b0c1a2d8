import { expect, test } from 'vitest';
import { settingsKeeper } from './kept-settings.ts';
import type { SettingsDraft } from './settings-draft.ts';

const draft: SettingsDraft = {
  name: 'Законы Ньютона',
  description: '',
  theme: 'physics',
  topic: '',
  difficulty: '',
  attemptsCount: '1',
  startTestTime: '',
  endTestTime: '',
  passTestTime: { hours: '0', minutes: '40' },
  openToAll: false,
  lateWindow: '15',
  countedAttempt: 'best',
  visibility: { ownAnswers: 'atOnce', points: 'atOnce', correctAnswers: 'afterClose' },
  assignedUserIds: [{ userId: 'a', userName: 'Анна' }],
  assignedGroupIds: [],
  personalTerms: [{ userId: 'a', userName: 'Анна', extraMinutes: 'x', attemptsCount: '' }],
};
const kept = { version: 3, base: draft, draft: { ...draft, name: 'Силы' } };

function memory() {
  const map = new Map<string, string>();
  return {
    map,
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

test('what was typed comes back to the one who typed it, for that test alone', () => {
  const storage = memory();
  settingsKeeper('laptewa', 'test', () => storage).keep(kept);
  expect(settingsKeeper('laptewa', 'test', () => storage).read()).toEqual(kept);
  expect(settingsKeeper('root', 'test', () => storage).read()).toBeNull();
  expect(settingsKeeper('laptewa', 'other', () => storage).read()).toBeNull();
  settingsKeeper('laptewa', 'test', () => storage).forget();
  expect(storage.map.size).toBe(0);
});

test('broken content and forbidden storage are as if nothing was kept', () => {
  const storage = memory();
  const keeper = settingsKeeper('laptewa', 'test', () => storage);
  keeper.keep(kept);
  for (const key of storage.map.keys()) storage.map.set(key, '{"version":3}');
  expect(keeper.read()).toBeNull();
  const forbidden = settingsKeeper('laptewa', 'test', () => {
    throw new Error('SecurityError');
  });
  forbidden.keep(kept);
  forbidden.forget();
  expect(forbidden.read()).toBeNull();
});
