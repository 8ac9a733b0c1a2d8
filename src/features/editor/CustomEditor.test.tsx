import { act, useEffect } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import type { QuestionFormProps } from '#app/questions/form/QuestionForm.tsx';
import { click } from '#app/ui/test-render.tsx';
import { CustomEditor } from './CustomEditor.tsx';
import { NO_TOOLS, renderEditor, useFakeDraft } from './test-editor.tsx';
import { UndoButtons } from './UndoButtons.tsx';

const rowRenders = vi.hoisted(() => ({ count: 0 }));
vi.mock('#app/questions/kinds.tsx', async (original) => ({
  ...(await original<Record<string, unknown>>()),
  KindIcon: () => {
    rowRenders.count += 1;
    return null;
  },
}));
vi.mock('#app/questions/form/QuestionForm.tsx', () => ({
  QuestionForm: ({ number, question, problems, onChange, actions }: QuestionFormProps) => (
    <article aria-label={`Вопрос ${number}`}>
      <h2>Вопрос {number}</h2>
      <textarea
        aria-label="Текст вопроса"
        value={question.text}
        aria-invalid={problems.length > 0}
        onChange={(event) => onChange({ ...question, text: event.currentTarget.value }, 'text')}
      />
      {actions}
    </article>
  ),
}));
vi.mock('#app/questions/form/StudentView.tsx', () => ({
  StudentView: ({ question }: { question: Question }) => <p data-seen>{question.text}</p>,
}));

const idOf = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`;
const question = (number: number, facts: Partial<Question> = {}): Question =>
  ({
    questionId: idOf(number),
    kind: 'file',
    text: `Задача ${number}`,
    points: 2,
    maxBytes: 1_000,
    accept: [],
    ...facts,
  }) as Question;
const questions = (count: number) => Array.from({ length: count }, (_, n) => question(n + 1));

let shown: Awaited<ReturnType<typeof renderEditor>>;
let draft: DraftEditor;
let wide = 1280;

function Screen({
  first,
  overrides,
}: {
  first: readonly Question[];
  overrides: Partial<DraftEditor> | undefined;
}) {
  const now = useFakeDraft(first, overrides);
  useEffect(() => {
    draft = now;
  });
  return (
    <>
      <UndoButtons draft={now} />
      <CustomEditor draft={now} tools={NO_TOOLS} />
    </>
  );
}

async function open(first: readonly Question[], overrides?: Partial<DraftEditor>, hash?: string) {
  shown = await renderEditor(<Screen first={first} overrides={overrides} />, hash);
}

const labels = () =>
  [...shown.container.querySelectorAll('ol[aria-label="Вопросы теста"] > li [data-row]')].map(
    (row) => row.getAttribute('title'),
  );
const row = (label: string) => shown.container.querySelector(`[data-row][title="${label}"]`);
const button = (name: string) =>
  [...shown.container.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  );
const field = () => shown.container.querySelector('textarea');
const chosen = () => shown.container.querySelector('[aria-current="true"]')?.getAttribute('title');

const type = (text: string) =>
  act(async () => {
    const area = field();
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    set?.call(area, text);
    area?.dispatchEvent(new Event('input', { bubbles: true }));
  });
const keyOn = (element: Element | null | undefined, init: KeyboardEventInit) =>
  act(async () => {
    element?.dispatchEvent(
      new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }),
    );
  });
/** Opens the menu of a button and chooses an entry. */
async function take(menu: string, entry: string) {
  await click(button(menu));
  const items = [...shown.container.querySelectorAll('[role=menuitem]')];
  await click(items.find((item) => item.querySelector('span')?.textContent === entry));
}

beforeEach(() => {
  wide = 1280;
  rowRenders.count = 0;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: wide >= Number(/(\d+)px/.exec(query)?.[1] ?? 0),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  HTMLElement.prototype.scrollIntoView = () => undefined;
  HTMLElement.prototype.showPopover = () => undefined;
  HTMLElement.prototype.hidePopover = () => undefined;
});
afterEach(async () => {
  await shown.unmount();
  vi.unstubAllGlobals();
});

test('the first question is selected, a link selects another, and the URL follows', async () => {
  await open(questions(3));
  expect(chosen()).toBe('Задача 1');
  expect(shown.container.textContent).toContain('3 вопроса');
  expect(shown.container.textContent).toContain('6 баллов');
  await click(row('Задача 3'));
  expect(chosen()).toBe('Задача 3');
  expect(shown.router.state.location.hash).toBe(`question-${idOf(3)}`);
  await shown.unmount();
  await open(questions(3), {}, `question-${idOf(2)}`);
  expect(field()?.value).toBe('Задача 2');
});

test('on a phone the list and a question are separate pages, and the student’s view is a tab', async () => {
  wide = 360;
  await open(questions(3));
  expect(field()).toBeNull();
  await click(row('Задача 2'));
  expect(field()?.value).toBe('Задача 2');
  expect(shown.container.textContent).toContain('2 из 3');
  await click(button('Следующий вопрос'));
  expect(field()?.value).toBe('Задача 3');
  await click(button('Как увидит ученик'));
  expect(field()).toBeNull();
  expect(shown.container.querySelector('[data-seen]')?.textContent).toBe('Задача 3');
  await click(button('К списку'));
  await vi.waitFor(() => expect(shown.router.state.location.hash).toBe(''));
});

test('on a phone an opened question focuses its heading, and going back focuses its row', async () => {
  wide = 360;
  await open(questions(3));
  const focus = (element: Element | null | undefined) =>
    act(async () => (element as HTMLElement | null)?.focus());
  await focus(row('Задача 2'));
  await click(row('Задача 2'));
  expect(document.activeElement?.textContent).toBe('Вопрос 2');
  await focus(button('Следующий вопрос'));
  await click(button('Следующий вопрос'));
  expect(document.activeElement).toBe(button('Следующий вопрос'));
  await focus(button('К списку'));
  await click(button('К списку'));
  await vi.waitFor(() => expect(document.activeElement).toBe(row('Задача 3')));
});

test('on a phone a new question has the focus in its text, and after a removal the next row has it', async () => {
  wide = 360;
  await open(questions(2));
  await take('Добавить вопрос', 'Файл');
  expect(document.activeElement).toBe(field());
  await click(button('К списку'));
  await click(row('Задача 1'));
  await act(async () => (button('Удалить вопрос') as HTMLElement | undefined)?.focus());
  await click(button('Удалить вопрос'));
  await vi.waitFor(() => expect(document.activeElement).toBe(row('Задача 2')));
});

test('rows move by keys and retain the focus; each undo step is named', async () => {
  await open(questions(4));
  await keyOn(row('Задача 1'), { key: 'ArrowDown', altKey: true });
  expect(labels()).toEqual(['Задача 2', 'Задача 1', 'Задача 3', 'Задача 4']);
  expect(document.activeElement?.getAttribute('title')).toBe('Задача 1');
  expect(shown.container.textContent).toContain('Место 2 из 4');
  await keyOn(row('Задача 1'), { key: 'End', altKey: true });
  expect(labels().at(-1)).toBe('Задача 1');
  await keyOn(row('Задача 1'), { key: 'ArrowUp' });
  expect(document.activeElement?.getAttribute('title')).toBe('Задача 4');
  await click(button('Отменить: порядок вопросов'));
  await click(button('Отменить: порядок вопросов'));
  expect(labels()).toEqual(questions(4).map(({ text }) => text));
  expect(button('Отменять нечего')?.getAttribute('aria-disabled')).toBe('true');
  await click(button('Вернуть: порядок вопросов'));
  expect(labels()[0]).toBe('Задача 2');
});

test('Ctrl+Z in the text undoes the typing, on a Russian layout too, and is announced', async () => {
  await open(questions(2));
  await type('Иначе');
  expect(chosen()).toBe('Иначе');
  await keyOn(field(), { key: 'я', code: 'KeyZ', ctrlKey: true });
  expect(field()?.value).toBe('Задача 1');
  expect(shown.container.textContent).toContain('Отменено: правка вопроса 1');
  await keyOn(field(), { key: 'Я', code: 'KeyZ', ctrlKey: true, shiftKey: true });
  expect(field()?.value).toBe('Иначе');
  await keyOn(field(), { key: 'z', code: 'KeyZ', ctrlKey: true });
  await keyOn(field(), { key: 'y', code: 'KeyY', ctrlKey: true });
  expect(field()?.value).toBe('Иначе');
});

test('«Вернуть» restores a deleted question at its place', async () => {
  await open(questions(3));
  await click(row('Задача 2'));
  await click(button('Удалить вопрос'));
  expect(labels()).toEqual(['Задача 1', 'Задача 3']);
  expect(chosen()).toBe('Задача 3');
  await click(button('Вернуть'));
  expect(labels()).toEqual(questions(3).map(({ text }) => text));
  expect(chosen()).toBe('Задача 2');
  expect(button('Вернуть')).toBeUndefined();
  await keyOn(row('Задача 1'), { key: 'Delete' });
  await keyOn(document.body, { key: 'z', code: 'KeyZ', ctrlKey: true });
  expect(labels()).toHaveLength(3);
  expect(button('Вернуть')).toBeUndefined();
});

test('a held Delete removes one question', async () => {
  await open(questions(4));
  await keyOn(row('Задача 1'), { key: 'Delete' });
  await keyOn(row('Задача 2'), { key: 'Delete', repeat: true });
  expect(labels()).toEqual(['Задача 2', 'Задача 3', 'Задача 4']);
});

test('a selection begins at the first checkbox, and its end leads back to the menu', async () => {
  await open(questions(3));
  await take('Ещё', 'Выбрать несколько');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Вопрос 1: Задача 1');
  await act(async () => (button('Готово') as HTMLElement | undefined)?.focus());
  await click(button('Готово'));
  expect(document.activeElement).toBe(button('Ещё'));
});

test('announces each copy of a question', async () => {
  await open(questions(2));
  const spoken = () => [...shown.container.querySelectorAll('[role=status]')].at(-1)?.textContent;
  await click(button('Дублировать вопрос'));
  expect(spoken()).toBe('Копия вопроса. Теперь 3 вопроса');
  await click(button('Дублировать вопрос'));
  expect(spoken()).toBe('Копия вопроса. Теперь 4 вопроса');
});

test('several selected questions get points, are copied or deleted in one step each', async () => {
  await open(questions(5));
  await take('Ещё', 'Выбрать несколько');
  const boxes = [...shown.container.querySelectorAll<HTMLInputElement>('[type=checkbox]')];
  await click(boxes[0]);
  await click(boxes[2]);
  expect(shown.container.textContent).toContain('Выбрано: 2');
  await take('Действия: 2 вопроса', 'Баллы…');
  const points = shown.container.querySelector<HTMLInputElement>('[role=dialog] input');
  await act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    set?.call(points, '1,5');
    points?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => {
    shown.container
      .querySelector('[role=dialog] form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
  expect(draft.questions.map(({ points: each }) => each)).toEqual([1.5, 2, 1.5, 2, 2]);
  expect(draft.undoLabel).toBe('Баллы: 2 вопросов');
  await take('Действия: 2 вопроса', 'Удалить');
  expect(labels()).toEqual(['Задача 2', 'Задача 4', 'Задача 5']);
  expect(shown.container.textContent).toContain('Удалено: 2 вопроса');
});

test('problems are listed with links to their questions, and rows have an icon with text', async () => {
  const single = { kind: 'variant', multiple: false, options: [] } as unknown as Question;
  await open([question(1), question(2, { ...single, text: '' }), question(3, { points: 0 })]);
  expect(row('Без текста')?.textContent).toContain('нет текста, ещё 2');
  await click(button('4 замечания'));
  await click(button('Вопрос 2: не отмечен верный вариант'));
  expect(chosen()).toBe('Без текста');
  expect(document.activeElement).toBe(field());
});

test('alternatives of one place are one expandable row', async () => {
  const other = { variantOf: idOf(99) };
  await open([question(1), question(2, other), question(3, other), question(4)]);
  expect(shown.container.textContent).toContain('3 вопроса');
  expect(labels()).toEqual(['Задача 1', 'Задача 2', 'Задача 4']);
  expect(row('Задача 2')?.textContent).toContain('2 варианта');
  await click(button('Варианты вопроса 2'));
  await click(row('Задача 3'));
  expect(field()?.value).toBe('Задача 3');
  await keyOn(row('Задача 3'), { key: 'ArrowUp', altKey: true });
  expect(draft.questions.map(({ text }) => text)).toEqual([
    'Задача 1',
    'Задача 3',
    'Задача 2',
    'Задача 4',
  ]);
});

test('a conflict shows both versions at its question, and each choice is one click', async () => {
  const resolve = vi.fn<DraftEditor['resolve']>();
  await open(questions(2), {
    resolve,
    conflicts: [
      {
        questionId: idOf(1),
        mine: question(1),
        theirs: question(1, { text: 'Чужой текст' }),
        by: 'О. В. Лаптева',
      },
    ],
    arrived: { by: 'О. В. Лаптева', questionIds: [idOf(2)] },
  });
  const text = shown.container.textContent ?? '';
  expect(text).toContain('Этот вопрос тем временем изменили');
  expect(text).toContain('Чужой текст');
  for (const choice of ['Оставить моё', 'Взять чужое', 'Сохранить оба'])
    await click(button(choice));
  expect(resolve.mock.calls.map(([, choice]) => choice)).toEqual(['mine', 'theirs', 'both']);
  await click(button('Вопрос 2'));
  expect(chosen()).toBe('Задача 2');
});

test('an empty test shows how to add questions; a new one is selected and focused', async () => {
  await open([]);
  expect(shown.container.textContent).toContain('В тесте пока нет вопросов');
  expect(shown.container.textContent).toContain('составить с ИИ');
  await take('Добавить вопрос', 'Соответствие');
  expect(draft.questions[0]?.kind).toBe('compliance');
  expect(document.activeElement).toBe(field());
  expect(field()?.getAttribute('aria-invalid')).toBe('false');
});

test('a new question has no notes anywhere until another one is opened', async () => {
  await open(questions(2));
  const notes = () => shown.container.textContent.match(/замечани|нет текста/g);
  await take('Добавить вопрос', 'Один ответ');
  expect(draft.questions).toHaveLength(3);
  expect(notes()).toBeNull();
  await click(row('Без текста'));
  expect(notes()).toBeNull();
  expect(field()?.getAttribute('aria-invalid')).toBe('false');
  await click(row('Задача 1'));
  expect(notes()).not.toBeNull();
  await click(row('Без текста'));
  expect(field()?.getAttribute('aria-invalid')).toBe('true');
});

test('a link from the list of problems shows the notes of a new question', async () => {
  await open(questions(1));
  await take('Добавить вопрос', 'Один ответ');
  expect(field()?.getAttribute('aria-invalid')).toBe('false');
  const id = draft.questions[1]?.questionId ?? '';
  await act(() => shown.router.navigate({ to: '.', hash: `question-${id}` }));
  expect(field()?.getAttribute('aria-invalid')).toBe('true');
});

test('with 300 questions a keystroke re-renders one row', async () => {
  await open(questions(300));
  expect(rowRenders.count).toBeGreaterThanOrEqual(300);
  rowRenders.count = 0;
  for (const text of ['a', 'ab', 'abc']) await type(text);
  expect(rowRenders.count).toBeLessThanOrEqual(6);
  rowRenders.count = 0;
  await click(row('Задача 150'));
  expect(rowRenders.count).toBeLessThanOrEqual(4);
}, 60_000);
