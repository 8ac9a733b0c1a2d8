import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import { click, render, waitForShown } from '#app/ui/test-render.tsx';
import type { AnswerStore } from './answer-field.ts';
import { preloadFields } from './answer-inputs.ts';
import { QuestionAnswer } from './QuestionAnswer.tsx';

const common = { questionId: 'q', points: 1 } as const;
const QUESTIONS = {
  variant: {
    ...common,
    kind: 'variant',
    text: 'Кто открыл закон?',
    multiple: true,
    options: [
      { optionId: 'a', text: 'Паскаль' },
      { optionId: 'b', text: 'Ньютон' },
    ],
  },
  areas: {
    ...common,
    kind: 'variant',
    text: 'Где клетка?\n\n![клетка](file:KEY)',
    multiple: false,
    options: [
      {
        optionId: 'a',
        text: 'слева',
        area: { shape: 'rectangle', left: 0, top: 0, width: 0.5, height: 1 },
      },
    ],
  },
  ordering: {
    ...common,
    kind: 'ordering',
    text: 'Кто раньше?',
    items: [
      { itemId: 'a', text: 'Рюрик' },
      { itemId: 'b', text: 'Ольга' },
    ],
  },
  compliance: {
    ...common,
    kind: 'compliance',
    text: 'Соедините.',
    reuse: false,
    left: [{ leftId: 'l', text: 'Давление' }],
    right: [{ rightId: 'r', text: 'Па' }],
  },
  gaps: {
    ...common,
    kind: 'gaps',
    text: 'Кипит при [[1]] °C и [[2]].',
    gaps: [
      { gapId: '1', input: 'line' },
      { gapId: '2', input: 'choice', options: [{ optionId: 'o', text: 'паром' }] },
    ],
  },
  open: { ...common, kind: 'open', text: 'Чему равно g?', input: 'line' },
} satisfies Record<string, StudentQuestion>;

beforeAll(async () => {
  HTMLElement.prototype.scrollIntoView = () => {};
  preloadFields(Object.values(QUESTIONS));
  await preloadRichText(['![a](file:b) **да** $x$']);
});

async function open(question: StudentQuestion, answer: Answer | null = null) {
  const store = {
    choose: vi.fn<AnswerStore['choose']>(),
    type: vi.fn<AnswerStore['type']>(),
    commit: vi.fn<AnswerStore['commit']>(() => Promise.resolve()),
    changeFiles: vi.fn<AnswerStore['changeFiles']>(),
    files: { pick: vi.fn(), cancel: vi.fn(), noteOf: () => null, bytesOf: async () => null },
    picks: [],
  };
  const onNext = vi.fn<() => void>();
  const { container } = await render(
    <Pictures value={() => Promise.resolve('blob:picture')}>
      <p id="text">Вопрос</p>
      <QuestionAnswer
        question={question}
        shown={{ answer, stage: 'none', upload: null }}
        store={store}
        locked={false}
        labelledBy="text"
        onNext={onNext}
      />
    </Pictures>,
  );
  /** Waits for a field that loads on demand. */
  const find = async (selector: string) => {
    await waitForShown(() => expect(container.querySelector(selector), selector).not.toBeNull());
    return container.querySelector<HTMLElement>(selector);
  };
  return { container, store, onNext, find };
}

/** Puts a value into a field as a person would, without leaving it. */
async function put(field: HTMLElement | null, value: string) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement))
    throw new Error('no such field');
  const type = field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(
      new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
    );
  });
}

const leave = (field: HTMLElement | null) =>
  act(async () => {
    field?.focus();
    field?.blur();
  });

test('a choice is stored at once, beside what was chosen before', async () => {
  const { container, store, find } = await open(QUESTIONS.variant);
  await find('input');
  await click(container.querySelectorAll('input')[1]);
  expect(store.choose.mock.calls).toEqual([
    [{ questionId: 'q', kind: 'variant', optionIds: ['b'] }],
  ]);
});

test('a place on a picture is chosen beside the question’s text and picture', async () => {
  const { container, store, find } = await open(QUESTIONS.areas);
  await click(await find('[data-area]'));
  expect(container.textContent).toContain('Где клетка?');
  expect(store.choose).toHaveBeenCalledWith({
    questionId: 'q',
    kind: 'variant',
    optionIds: ['a'],
  });
});

test('a choice without areas has no text of its own', async () => {
  const { container, find } = await open(QUESTIONS.variant);
  await find('input');
  expect(container.querySelector('[data-area]')).toBeNull();
  expect(container.textContent).not.toContain('Кто открыл закон?');
});

test('a moved item stores the whole order', async () => {
  const { store, find } = await open(QUESTIONS.ordering);
  await click(await find('[data-direction=down]'));
  expect(store.choose).toHaveBeenCalledWith({
    questionId: 'q',
    kind: 'ordering',
    itemIds: ['b', 'a'],
  });
});

test('a pair is stored as soon as both sides are chosen', async () => {
  const { store, find } = await open(QUESTIONS.compliance);
  await click(await find('li button'));
  await click(await find('[role=option]'));
  expect(store.choose).toHaveBeenCalledWith({
    questionId: 'q',
    kind: 'compliance',
    pairs: [{ leftId: 'l', rightId: 'r' }],
  });
});

test('text in a gap is stored at a pause or when the gap is left, a choice in a gap at once', async () => {
  const { container, store, find } = await open(QUESTIONS.gaps);
  const field = await find('[aria-label="Пропуск 1"]');
  expect(container.textContent).toContain('Кипит при');
  await put(field, '100');
  const typed = { questionId: 'q', kind: 'gaps', gaps: [{ gapId: '1', text: '100' }] };
  expect(store.type.mock.lastCall).toEqual([typed]);
  expect(store.commit).not.toHaveBeenCalled();
  await leave(field);
  expect(store.commit).toHaveBeenCalledOnce();
  await put(await find('[aria-label="Пропуск 2"]'), 'o');
  expect(store.type.mock.lastCall?.[0]).toMatchObject({ gaps: [{ gapId: '2', optionId: 'o' }] });
  expect(store.commit).toHaveBeenCalledTimes(2);
});

test('typed text is stored at a pause or when the field is left, and Enter leads on', async () => {
  const { store, onNext, find } = await open(QUESTIONS.open);
  const field = await find('input');
  await put(field, '9,8');
  expect(store.type.mock.calls).toEqual([[{ questionId: 'q', kind: 'open', text: '9,8' }]]);
  expect(store.commit).not.toHaveBeenCalled();
  await leave(field);
  expect(store.commit).toHaveBeenCalledOnce();
  await act(async () =>
    field?.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    ),
  );
  expect(onNext).toHaveBeenCalledOnce();
});

test('an answer of another kind is not shown as an answer to this question', async () => {
  const stale: Answer = { questionId: 'q', kind: 'variant', optionIds: ['a'] };
  const own: Answer = { questionId: 'q', kind: 'open', text: 'сила' };
  const value = async (answer: Answer) => {
    const field = await (await open(QUESTIONS.open, answer)).find('input');
    return field instanceof HTMLInputElement ? field.value : null;
  };
  expect(await value(own)).toBe('сила');
  expect(await value(stale)).toBe('');
});
