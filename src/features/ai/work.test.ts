import { expect, test } from 'vitest';
import * as v from 'valibot';
import { MAX_AI_QUESTIONS } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import { formatNumber } from '#domain/format.ts';
import { newQuestion } from '#domain/new-question.ts';
import { createFormDraftStore } from '#app/lib/form-draft.ts';
import type { DraftStorage } from '#app/lib/form-draft-storage.ts';
import { askBody, type AskForm, EMPTY_FORM, ValidAskForm } from './ask-form.ts';
import {
  changed,
  NO_DRAFTS,
  MAX_PENDING,
  MAX_REJECTED,
  revised,
  undecided,
  withDraft,
  withRejected,
  AiDraft,
} from './work.ts';
import { replaceDraft } from './replace-draft.ts';

let count = 0;
const newId = () => {
  count += 1;
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
};
const question = (text: string) => ({ ...newQuestion('open', newId), text });

function memory(): DraftStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}

const open = (owner: string, testId: string, storage: () => DraftStorage) =>
  createFormDraftStore({ kind: 'ai', owner, testId }, AiDraft, storage);

test('drafts and the form survive a reload, separately per test and person', () => {
  const storage = memory();
  const drafts = withRejected(withDraft(NO_DRAFTS, question('Что?')), { reason: 'нет', raw: '{' });
  const form = { ...EMPTY_FORM, topic: 'Сила' };
  expect(open('anna', 'one', () => storage).save({ form, drafts })).toBe(true);
  expect(open('anna', 'one', () => storage).read()).toEqual({ form, drafts });
  expect(open('anna', 'two', () => storage).read()).toBeNull();
  expect(open('boris', 'one', () => storage).read()).toBeNull();
});

test.each([
  ['no JSON', null],
  ['null', null],
  ['{"form":3,"drafts":{"pending":7}}', { form: EMPTY_FORM, drafts: NO_DRAFTS }],
  [
    JSON.stringify({ form: { ...EMPTY_FORM, topic: 'Сила' }, drafts: { pending: [{}] } }),
    { form: { ...EMPTY_FORM, topic: 'Сила' }, drafts: NO_DRAFTS },
  ],
])('of «%s» in the storage what is valid is restored', (stored, work) => {
  const storage = memory();
  storage.setItem('ai:a:t', stored);
  expect(open('a', 't', () => storage).read()).toEqual(work);
});

test.each(['forbidden', 'full'])('a storage that is %s is reported as unsaved', (reason) => {
  const store = open('a', 't', () => {
    throw new DOMException(reason);
  });
  expect(store.save({ form: EMPTY_FORM, drafts: NO_DRAFTS })).toBe(false);
  expect(store.read()).toBeNull();
});

test('drafts are limited, refused ones are dropped first', () => {
  let drafts = NO_DRAFTS;
  for (let n = 0; n < MAX_PENDING; n += 1) drafts = withDraft(drafts, question(`${n}`));
  const refusedId = drafts.pending[7]?.question.questionId ?? '';
  drafts = changed(drafts, refusedId, (draft) => ({ ...draft, isRefused: true }));
  drafts = withDraft(drafts, question('новый'));
  expect(drafts.pending).toHaveLength(MAX_PENDING);
  expect(drafts.pending.some(({ isRefused }) => isRefused)).toBe(false);
  for (let n = 0; n < 99; n += 1) drafts = withRejected(drafts, { reason: `${n}`, raw: '' });
  expect(drafts.rejected).toHaveLength(MAX_REJECTED);
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

test('an unchanged option of a rewritten choice retains its picture area', () => {
  const area = { shape: 'ellipse', left: 0, top: 0, width: 0.5, height: 0.5 } as const;
  const choice = (...options: { text: string; area?: typeof area }[]): Question => ({
    questionId: 'q',
    kind: 'variant',
    text: 'Где ядро?',
    points: 1,
    multiple: false,
    shuffle: false,
    scoring: 'partial',
    options: options.map((option, index) => ({ optionId: `o${index}`, isRight: false, ...option })),
  });
  expect(
    replaceDraft(choice({ text: 'А' }, { text: 'Б', area }), choice({ text: 'Б' }, { text: 'В' })),
  ).toEqual(choice({ text: 'Б', area }, { text: 'В' }));
});

test('a reload restores undecided drafts', () => {
  const [one, two, three] = [question('1'), question('2'), question('3')];
  const all = [one, two, three].reduce(withDraft, NO_DRAFTS);
  const refused = changed(all, two.questionId, (draft) => ({ ...draft, isRefused: true }));
  const left = undecided(refused, new Set([one.questionId]));
  expect(left.pending.map((draft) => draft.question.text)).toEqual(['3']);
});

test('form errors are reported at fields; sent values are trimmed and limited', () => {
  const problems = (form: AskForm) => {
    const { issues = [] } = v.safeParse(ValidAskForm, form);
    return issues.map((issue) => [v.getDotPath(issue), issue.message]);
  };
  expect(problems(EMPTY_FORM)).toEqual([['topic', 'Назовите тему или вставьте текст']]);
  expect(problems({ ...EMPTY_FORM, source: 'Сила' })).toEqual([]);
  const wrong = { ...EMPTY_FORM, source: 'я'.repeat(60_001), count: '0', kinds: [] };
  expect(problems(wrong)).toEqual([
    ['source', `Слишком длинно: ${formatNumber(60_001)} из ${formatNumber(60_000)} знаков`],
    ['kinds', 'Выберите хотя бы один вид вопросов'],
    ['count', `Число от 1 до ${MAX_AI_QUESTIONS}`],
  ]);
  const known = Array.from({ length: 200 }, (_, n) => question(`${n} ${'а'.repeat(500)}`));
  const body = askBody({ ...EMPTY_FORM, topic: ' Сила ' }, 3, known);
  expect(body).toMatchObject({ topic: 'Сила', count: 3, existing: { length: 100 } });
  expect(body.existing.every((text) => text.length <= 120)).toBe(true);
});
