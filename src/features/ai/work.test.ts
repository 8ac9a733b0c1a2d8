import { expect, test } from 'vitest';
import { newQuestion } from '#domain/new-question.ts';
import type { DraftStorage } from '#app/lib/form-draft.ts';
import { askBody, askErrors, EMPTY_FORM } from './ask-form.ts';
import { markDisclosed, wasDisclosed, createWorkStore } from './saved-work.ts';
import {
  changed,
  replaceDraft,
  NO_DRAFTS,
  PENDING_MOST,
  REJECTED_MOST,
  revised,
  undecided,
  withDraft,
  withRejected,
} from './work.ts';

let count = 0;
const newId = () => {
  count += 1;
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
};
const question = (text: string) => ({ ...newQuestion('open', newId), text });

function memory(): DraftStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

test('drafts and the form survive a reload, separately per test and person', () => {
  const storage = memory();
  const workStore = createWorkStore('anna', 'one', () => storage);
  const drafts = withRejected(withDraft(NO_DRAFTS, question('Что?')), { reason: 'нет', raw: '{' });
  const form = { ...EMPTY_FORM, topic: 'Сила' };
  expect(workStore.save({ form, drafts })).toBe(true);
  expect(createWorkStore('anna', 'one', () => storage).read()).toEqual({ form, drafts });
  const nothing = { form: EMPTY_FORM, drafts: NO_DRAFTS };
  expect(createWorkStore('anna', 'two', () => storage).read()).toEqual(nothing);
  expect(createWorkStore('boris', 'one', () => storage).read()).toEqual(nothing);
});

test('stored work is validated: invalid drafts do not discard the form, forbidden storage is no error', () => {
  const storage = memory();
  const form = { ...EMPTY_FORM, topic: 'Сила' };
  storage.setItem('ai:a:t', JSON.stringify({ form, drafts: { pending: [{}] } }));
  expect(createWorkStore('a', 't', () => storage).read()).toEqual({ form, drafts: NO_DRAFTS });
  storage.setItem('ai:a:t', 'no JSON');
  expect(createWorkStore('a', 't', () => storage).read().form).toEqual(EMPTY_FORM);
  const forbidden = createWorkStore('a', 't', () => {
    throw new Error('forbidden');
  });
  expect(forbidden.save({ form, drafts: NO_DRAFTS })).toBe(false);
  expect(forbidden.read().drafts).toEqual(NO_DRAFTS);
});

test('drafts are limited, refused ones are dropped first', () => {
  let drafts = NO_DRAFTS;
  for (let n = 0; n < PENDING_MOST; n += 1) drafts = withDraft(drafts, question(`${n}`));
  const refusedId = drafts.pending[7]?.question.questionId ?? '';
  drafts = changed(drafts, refusedId, (draft) => ({ ...draft, isRefused: true }));
  drafts = withDraft(drafts, question('новый'));
  expect(drafts.pending).toHaveLength(PENDING_MOST);
  expect(drafts.pending.some(({ isRefused }) => isRefused)).toBe(false);
  for (let n = 0; n < 99; n += 1) drafts = withRejected(drafts, { reason: `${n}`, raw: '' });
  expect(drafts.rejected).toHaveLength(REJECTED_MOST);
});

test('a revision replaces its question and preserves teacher-only properties', () => {
  const old = { ...question('Старый'), tags: ['сила'], title: 'Имя' };
  const drafts = revised(withDraft(NO_DRAFTS, old), old.questionId, question('Новый'));
  expect(drafts.pending[0]).toMatchObject({
    before: old,
    question: { questionId: old.questionId, text: 'Новый', tags: ['сила'], title: 'Имя' },
  });
  expect(replaceDraft(old, question('Новый'))).not.toHaveProperty('variantOf');
});

test('a reload restores undecided drafts', () => {
  const [one, two, three] = [question('1'), question('2'), question('3')];
  const all = [one, two, three].reduce(withDraft, NO_DRAFTS);
  const refused = changed(all, two.questionId, (draft) => ({ ...draft, isRefused: true }));
  const left = undecided(refused, new Set([one.questionId]));
  expect(left.pending.map((draft) => draft.question.text)).toEqual(['3']);
});

test('form errors are reported at fields; sent values are trimmed and limited', () => {
  expect(askErrors(EMPTY_FORM)).toEqual({ topic: 'Назовите тему или вставьте текст' });
  const wrong = { ...EMPTY_FORM, source: 'я'.repeat(60_001), count: '0', kinds: [] };
  expect(Object.keys(askErrors(wrong)).sort()).toEqual(['count', 'kinds', 'source']);
  const known = Array.from({ length: 200 }, (_, n) => question(`${n} ${'а'.repeat(500)}`));
  const body = askBody({ ...EMPTY_FORM, topic: ' Сила ' }, 3, known);
  expect(body).toMatchObject({ topic: 'Сила', count: 3, existing: { length: 100 } });
  expect(body.existing.every((text) => text.length <= 120)).toBe(true);
});

test('a device remembers acknowledged providers', () => {
  const local = memory();
  expect(wasDisclosed(local, 'api.one')).toBe(false);
  markDisclosed(local, 'api.one');
  markDisclosed(local, 'api.two');
  expect([wasDisclosed(local, 'api.one'), wasDisclosed(local, 'api.three')]).toEqual([true, false]);
  local.setItem('aiTold', '{');
  expect(wasDisclosed(local, 'api.one')).toBe(false);
});
