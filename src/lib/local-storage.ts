import { logProblem } from './log.ts';

function createMemory(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}

/** The browser's local storage, or an in-memory fallback if it is forbidden. */
export function openLocalStorage(): Storage {
  try {
    return window.localStorage;
  } catch (cause) {
    logProblem('Локальное хранилище закрыто', { cause });
    return createMemory();
  }
}
