import { beforeEach, expect, test } from 'vitest';
import * as v from 'valibot';
import { createFormDraftStore, eraseFormDrafts, eraseOtherFormDrafts } from './form-draft.ts';

const ANNA = '01900000-0000-7000-8000-000000000001';
const OLEG = '01900000-0000-7000-8000-000000000002';
const draftOf = (owner: string) => createFormDraftStore({ kind: 'bank', owner }, v.string());

beforeEach(() => {
  window.sessionStorage.clear();
  window.sessionStorage.setItem('tab', 'this one');
  draftOf(ANNA).save('ключ Анны');
  createFormDraftStore({ kind: 'settings', owner: ANNA, testId: '7' }, v.string()).save(
    'тест Анны',
  );
  draftOf(OLEG).save('ключ Олега');
});

test('a sign-in erases the drafts of others and keeps those of its owner', () => {
  eraseOtherFormDrafts(OLEG);
  expect(JSON.stringify(Object.entries(window.sessionStorage))).not.toContain('Анны');
  expect(draftOf(OLEG).read()).toBe('ключ Олега');
  expect(window.sessionStorage.getItem('tab')).toBe('this one');
});

test('a sign-out by wish erases the drafts of who leaves', () => {
  eraseFormDrafts(OLEG);
  expect(draftOf(OLEG).read()).toBeNull();
  expect(draftOf(ANNA).read()).toBe('ключ Анны');
});
