import { createTyping } from '#app/features/passing/typing.ts';
import type { TextStore } from '#app/outbox/environment.ts';
import type { Plant } from '#simulation/plant.ts';

/** Bugs in storing typed text. */

/** Each key restarts the wait, however long typing continues. */
export const waitsForPause: Plant = {
  createTyping: (parts) => {
    const FIRST_LIMIT_MS = 800;
    const { timers } = parts;
    const set = (run: () => void, ms: number) =>
      ms === FIRST_LIMIT_MS ? null : timers.set(run, ms);
    return createTyping({ ...parts, timers: { ...timers, set } });
  },
};

/** The last text before a pause waits for the next key. */
export const storesWhileTyping: Plant = {
  createTyping: (parts) => {
    const PAUSE_MS = 500;
    const { timers } = parts;
    const set = (run: () => void, ms: number) => (ms === PAUSE_MS ? null : timers.set(run, ms));
    return createTyping({ ...parts, timers: { ...timers, set } });
  },
};

const around = (change: (texts: TextStore) => Partial<TextStore>): Plant => ({
  texts: (texts) => ({
    get length() {
      return texts.length;
    },
    key: (index) => texts.key(index),
    getItem: (key) => texts.getItem(key),
    setItem: (key, value) => texts.setItem(key, value),
    removeItem: (key) => texts.removeItem(key),
    ...change(texts),
  }),
});

/** Keys are not noted until the database has them. */
export const notesNoKeys = around(() => ({ setItem: () => undefined }));

/** A start treats the noted text as the newest answer. */
export const restoresOverNewer = around((texts) => ({
  getItem: (key) => {
    const text = texts.getItem(key);
    const typed = text === null ? null : (JSON.parse(text) as { era: number });
    return typed && JSON.stringify({ ...typed, era: typed.era + 1_000 });
  },
}));

/** A sign-out leaves the noted text. */
export const leavesTypedText = around(() => ({ removeItem: () => undefined }));
