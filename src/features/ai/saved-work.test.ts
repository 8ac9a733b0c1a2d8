import { expect, test } from 'vitest';
import { EMPTY_FORM } from './ask-form.ts';
import { markDisclosed, wasDisclosed, createWorkStore } from './saved-work.ts';
import { NO_DRAFTS } from './work.ts';

function memory(kept: string | null = null) {
  let value = kept;
  return {
    getItem: () => value,
    setItem: (_: string, next: string) => {
      value = next;
    },
    removeItem: () => {
      value = null;
    },
  };
}
const full = {
  getItem: () => null,
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
  removeItem: () => undefined,
};

test('a disclosure is shown once per host; invalid storage counts as not shown', () => {
  const local = memory('[[[');
  expect(wasDisclosed(local, 'api.provider.ru')).toBe(false);
  markDisclosed(local, 'api.provider.ru');
  expect(wasDisclosed(local, 'api.provider.ru')).toBe(true);
  expect(wasDisclosed(local, 'other.ru')).toBe(false);
});

test('with a full storage the disclosure is shown again and drafts are reported as unsaved', () => {
  expect(() => markDisclosed(full, 'api.provider.ru')).not.toThrow();
  const work = { form: EMPTY_FORM, drafts: NO_DRAFTS };
  expect(createWorkStore('teacher', 'test', () => full).save(work)).toBe(false);
});

test.each(['{{{', 'null', '{"form":3,"drafts":{"pending":7}}'])(
  '«%s» in the storage is an empty desk',
  (kept) => {
    const work = createWorkStore('teacher', 'test', () => memory(kept)).read();
    expect(work).toEqual({ form: EMPTY_FORM, drafts: NO_DRAFTS });
  },
);
