import { expect, test } from 'vitest';
import { newQuestion } from '#domain/new-question.ts';
import { askBody, askErrors, EMPTY_FORM } from './ask-form.ts';
import { rememberTold, wasTold, workKeeper } from './kept-work.ts';
import {
  changed,
  inPlaceOf,
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

function memory(): Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

test('drafts and the form come back after a reload, each test and person apart', () => {
  const storage = memory();
  const keeper = workKeeper('anna', 'one', () => storage);
  const drafts = withRejected(withDraft(NO_DRAFTS, question('Что?')), { reason: 'нет', raw: '{' });
  const form = { ...EMPTY_FORM, topic: 'Сила' };
  expect(keeper.keep({ form, drafts })).toBe(true);
  expect(workKeeper('anna', 'one', () => storage).read()).toEqual({ form, drafts });
  const nothing = { form: EMPTY_FORM, drafts: NO_DRAFTS };
  expect(workKeeper('anna', 'two', () => storage).read()).toEqual(nothing);
  expect(workKeeper('boris', 'one', () => storage).read()).toEqual(nothing);
});

test('what is kept is parsed: spoilt drafts do not take the form along, forbidden storage is no error', () => {
  const storage = memory();
  const form = { ...EMPTY_FORM, topic: 'Сила' };
  storage.setItem('ai:a:t', JSON.stringify({ form, drafts: { pending: [{}] } }));
  expect(workKeeper('a', 't', () => storage).read()).toEqual({ form, drafts: NO_DRAFTS });
  storage.setItem('ai:a:t', 'no JSON');
  expect(workKeeper('a', 't', () => storage).read().form).toEqual(EMPTY_FORM);
  const forbidden = workKeeper('a', 't', () => {
    throw new Error('forbidden');
  });
  expect(forbidden.keep({ form, drafts: NO_DRAFTS })).toBe(false);
  expect(forbidden.read().drafts).toEqual(NO_DRAFTS);
});

test('drafts are bounded, refused ones go first', () => {
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

test('a revision takes the place of its question and keeps what only the teacher gives', () => {
  const old = { ...question('Старый'), tags: ['сила'], title: 'Имя' };
  const drafts = revised(withDraft(NO_DRAFTS, old), old.questionId, question('Новый'));
  expect(drafts.pending[0]).toMatchObject({
    before: old,
    question: { questionId: old.questionId, text: 'Новый', tags: ['сила'], title: 'Имя' },
  });
  expect(inPlaceOf(old, question('Новый'))).not.toHaveProperty('variantOf');
});

test('a reload brings back what is not decided', () => {
  const [one, two, three] = [question('1'), question('2'), question('3')];
  const all = [one, two, three].reduce(withDraft, NO_DRAFTS);
  const refused = changed(all, two.questionId, (draft) => ({ ...draft, isRefused: true }));
  const left = undecided(refused, new Set([one.questionId]));
  expect(left.pending.map((draft) => draft.question.text)).toEqual(['3']);
});

test('what is wrong with the form is told at its field; what goes is trimmed and bounded', () => {
  expect(askErrors(EMPTY_FORM)).toEqual({ topic: 'Назовите тему или вставьте текст' });
  const wrong = { ...EMPTY_FORM, source: 'я'.repeat(60_001), count: '0', kinds: [] };
  expect(Object.keys(askErrors(wrong)).sort()).toEqual(['count', 'kinds', 'source']);
  const known = Array.from({ length: 200 }, (_, n) => question(`${n} ${'а'.repeat(500)}`));
  const body = askBody({ ...EMPTY_FORM, topic: ' Сила ' }, 3, known);
  expect(body).toMatchObject({ topic: 'Сила', count: 3, existing: { length: 100 } });
  expect(body.existing.every((text) => text.length <= 120)).toBe(true);
});

test('a device remembers of which providers it was told', () => {
  const local = memory();
  expect(wasTold(local, 'api.one')).toBe(false);
  rememberTold(local, 'api.one');
  rememberTold(local, 'api.two');
  expect([wasTold(local, 'api.one'), wasTold(local, 'api.three')]).toEqual([true, false]);
  local.setItem('aiTold', '{');
  expect(wasTold(local, 'api.one')).toBe(false);
});
