import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { createFormDraftStore } from './form-draft.ts';
import {
  decryptFormDrafts,
  encryptFormDrafts,
  eraseFormDrafts,
  showFormDrafts,
} from './form-draft-storage.ts';

const ANNA = '01900000-0000-7000-8000-000000000001';
const BORIS = '01900000-0000-7000-8000-000000000002';
const KEYS: Record<string, string> = { [ANNA]: 'A'.repeat(43), [BORIS]: 'B'.repeat(42) + 'A' };
const SECRET = 'Верный ответ: 4,9';

const readKey = async (owner: string) => importDeviceKey(KEYS[owner] ?? '');
const noKey = async () => null;

const gradingOf = (owner: string) =>
  createFormDraftStore({ kind: 'grading', owner, testId: 't1' }, v.string());
const settingsOf = (owner: string) =>
  createFormDraftStore({ kind: 'settings', owner, testId: 't1' }, v.string());

const inTab = () => JSON.stringify(Object.entries(sessionStorage));

/** The module as a reloaded page has it: nothing in memory. */
async function reload(owner: string | null) {
  vi.resetModules();
  const storage = await import('./form-draft-storage.ts');
  const forms = await import('./form-draft.ts');
  storage.showFormDrafts(owner);
  return {
    ...storage,
    read: () =>
      forms.createFormDraftStore({ kind: 'grading', owner: ANNA, testId: 't1' }, v.string()).read(),
  };
}

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  for (const owner of [ANNA, BORIS]) eraseFormDrafts(owner);
  vi.restoreAllMocks();
});

test('a form is stored in the tab while its author is signed in', async () => {
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).save(SECRET)).toBe(true);
  expect(inTab()).toContain(SECRET);
  expect((await reload(ANNA)).read()).toBe(SECRET);
});

test('an ended sign-in removes the forms from the tab at once; their author gets them back', () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  expect(inTab()).not.toContain(SECRET);
  showFormDrafts(BORIS);
  expect(gradingOf(BORIS).read()).toBeNull();
  expect(inTab()).not.toContain(SECRET);
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).read()).toBe(SECRET);
  expect(inTab()).toContain(SECRET);
});

test('what a form saves while it closes after the end stays out of the tab', () => {
  showFormDrafts(ANNA);
  const settings = settingsOf(ANNA);
  showFormDrafts(null);
  expect(settings.save(SECRET)).toBe(true);
  expect(inTab()).not.toContain(SECRET);
  showFormDrafts(ANNA);
  expect(settingsOf(ANNA).read()).toBe(SECRET);
});

test('an encrypted form outlives a reload and another person, and opens with its author’s key', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  await encryptFormDrafts(readKey);
  expect(Object.keys(sessionStorage)).toEqual([`grading:${ANNA}:t1`]);
  expect(inTab()).not.toContain(SECRET);

  const other = await reload(BORIS);
  await other.decryptFormDrafts(BORIS, readKey);
  expect(inTab()).not.toContain(SECRET);

  const own = await reload(null);
  await own.decryptFormDrafts(ANNA, readKey);
  expect(inTab(), 'until the sign-in').not.toContain(SECRET);
  own.showFormDrafts(ANNA);
  expect(own.read()).toBe(SECRET);
});

test('a reloaded page without a sign-in removes data of a killed one from the tab', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  sessionStorage.setItem('tab', 'one');
  const started = await reload(null);
  expect(Object.keys(sessionStorage)).toEqual(['tab']);
  await started.encryptFormDrafts(readKey);
  expect(inTab()).not.toContain(SECRET);
  started.showFormDrafts(ANNA);
  expect(started.read()).toBe(SECRET);
});

test('without a key a form stays in memory alone', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  await encryptFormDrafts(noKey);
  expect(Object.keys(sessionStorage)).toEqual([]);
  await decryptFormDrafts(ANNA, noKey);
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).read()).toBe(SECRET);
});

test('what was typed last is restored, not an earlier ciphertext', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save('Раньше');
  showFormDrafts(null);
  await encryptFormDrafts(readKey);
  gradingOf(ANNA).save(SECRET);
  await decryptFormDrafts(ANNA, readKey);
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).read()).toBe(SECRET);
});

test('a sign-in during encryption leaves the form readable for its author', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  const encrypting = encryptFormDrafts(readKey);
  showFormDrafts(ANNA);
  await encrypting;
  expect(gradingOf(ANNA).read()).toBe(SECRET);
});

test('a manual sign-out removes the forms of who leaves from tab and memory, encrypted ones too', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(BORIS);
  await encryptFormDrafts(readKey);
  settingsOf(BORIS).save('Правка Бориса');
  showFormDrafts(null);
  eraseFormDrafts(BORIS);
  expect(Object.keys(sessionStorage)).toEqual([`grading:${ANNA}:t1`]);
  eraseFormDrafts(ANNA);
  expect(Object.keys(sessionStorage)).toEqual([]);
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).read()).toBeNull();
});

test.each(['encrypted nonsense', 'encrypted {"iv":1}', 'encrypted null'])(
  'a damaged draft (%s) is reported and counts as none',
  async (text) => {
    sessionStorage.setItem(`grading:${ANNA}:t1`, text);
    showFormDrafts(null);
    await decryptFormDrafts(ANNA, readKey);
    showFormDrafts(ANNA);
    expect(gradingOf(ANNA).read()).toBeNull();
    expect(console.warn).toHaveBeenCalledWith('Черновик формы не расшифровать', {
      key: `grading:${ANNA}:t1`,
    });
  },
);

test('another key opens nothing', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  await encryptFormDrafts(readKey);
  const page = await reload(null);
  await page.decryptFormDrafts(ANNA, () => readKey(BORIS));
  page.showFormDrafts(ANNA);
  expect(page.read()).toBeNull();
});

test('a full tab leaves the form in memory', async () => {
  showFormDrafts(ANNA);
  gradingOf(ANNA).save(SECRET);
  showFormDrafts(null);
  const full = vi.spyOn(sessionStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await encryptFormDrafts(readKey);
  full.mockRestore();
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).read()).toBe(SECRET);
});

test('a browser that forbids the storage of the tab has no drafts, and nothing fails', async () => {
  const forbidden = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  showFormDrafts(ANNA);
  expect(gradingOf(ANNA).save(SECRET)).toBe(false);
  expect(gradingOf(ANNA).read()).toBeNull();
  showFormDrafts(null);
  await decryptFormDrafts(ANNA, readKey);
  eraseFormDrafts(ANNA);
  forbidden.mockRestore();
});
