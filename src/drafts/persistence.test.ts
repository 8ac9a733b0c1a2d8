import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { browserTimers } from '#app/api/timers.ts';
import type { DraftStore, StoredDraft } from '#app/storage/draft-store.ts';
import { freshCopy, keepLocalChange, withSent, type WorkingCopy } from './copy.ts';
import { createPersistence } from './persistence.ts';
import { idOf, list, question } from './testing.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

const typed = (text: string) =>
  keepLocalChange(freshCopy(3, list(1, 2)), [question(1, text), ...list(2)]);

function scene(durable = true) {
  const written: StoredDraft[] = [];
  const store = {
    durable,
    write: vi.fn(async (draft: StoredDraft) => void written.push(draft)),
    clear: vi.fn(async () => undefined),
    adopt: async () => undefined,
    close: async () => undefined,
  } satisfies DraftStore;
  const onChange = vi.fn();
  const now: { copy: WorkingCopy | null } = { copy: null };
  const persistence = createPersistence({
    store,
    now: () => Date.now(),
    timers: browserTimers,
    current: () => now.copy,
    onChange,
  });
  return { store, written, onChange, now, persistence };
}

test('what is typed is stored with the start of the next merge and the saves in doubt', async () => {
  const { written, now, persistence, onChange } = scene();
  const sending = { order: [idOf(1), idOf(2)], changed: [question(1, 'с')] };
  now.copy = withSent(typed('слово'), sending);
  await persistence.save();
  expect(written).toEqual([
    {
      base: { draftVersion: 3, questions: list(1, 2) },
      mine: [question(1, 'слово'), question(2)],
      sent: [sending],
      at: 1_000,
    },
  ]);
  expect(persistence.savedAt()).toBe(1_000);
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('the same copy is stored once, and again after a failure', async () => {
  const { store, now, persistence, onChange } = scene();
  now.copy = typed('слово');
  await persistence.save();
  await persistence.save();
  expect(store.write).toHaveBeenCalledTimes(1);
  now.copy = typed('слова');
  store.write.mockRejectedValueOnce(new Error('full'));
  await expect(persistence.save()).rejects.toThrow('full');
  expect(persistence.isHealthy()).toBe(false);
  expect(onChange).toHaveBeenCalledTimes(2);
  await persistence.save();
  expect(store.write).toHaveBeenCalledTimes(3);
  expect(persistence.isHealthy()).toBe(true);
});

test('typing is stored once, a quarter of a second after its first key', async () => {
  const { store, now, persistence } = scene();
  now.copy = typed('с');
  persistence.saveSoon();
  await vi.advanceTimersByTimeAsync(200);
  now.copy = typed('сл');
  persistence.saveSoon();
  await vi.advanceTimersByTimeAsync(49);
  expect(store.write).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(store.write).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store.write).toHaveBeenCalledTimes(1);
});

test('once the server has everything the row goes, but not while a save is in doubt', async () => {
  const { store, now, persistence } = scene();
  now.copy = freshCopy(3, list(1));
  await persistence.save();
  expect(store.clear, 'there is no row yet').not.toHaveBeenCalled();
  now.copy = typed('слово');
  await persistence.save();
  const same = freshCopy(4, list(1));
  now.copy = withSent(same, { order: [idOf(1)], changed: [] });
  await persistence.save();
  expect(store.clear).not.toHaveBeenCalled();
  expect(persistence.savedAt()).toBe(1_000);
  now.copy = same;
  await persistence.save();
  expect(store.clear).toHaveBeenCalledTimes(1);
  expect(persistence.savedAt()).toBeNull();
});

test('a device without storage gets no write and reports it', async () => {
  const { store, now, persistence } = scene(false);
  now.copy = typed('слово');
  await persistence.save();
  expect(store.write).not.toHaveBeenCalled();
  expect(persistence.isHealthy()).toBe(false);
});
