import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { ItemsPart } from './ItemsPart.tsx';
import type { Of } from '#app/questions/form/parts.ts';

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

const rulers: Of<'ordering'> = {
  questionId: 'q',
  kind: 'ordering',
  text: 'Кто раньше?',
  points: 1,
  items: ['Рюрик', 'Ольга', 'Ярослав'].map((text) => ({ itemId: text, text })),
};

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open() {
  const latest: { question: Question } = { question: rulers };
  function Editor() {
    const [question, setQuestion] = useState(rulers);
    return (
      <ItemsPart
        question={question}
        problems={['Есть пункт без текста']}
        onChange={(next) => {
          latest.question = next;
          setQuestion(next as Of<'ordering'>);
        }}
      />
    );
  }
  shown = await render(<Editor />);
  const box = shown.container;
  return {
    texts: () =>
      latest.question.kind === 'ordering' ? latest.question.items.map(({ text }) => text) : [],
    labelled: (label: string) => box.querySelector<HTMLElement>(`[aria-label="${label}"]`),
    button: (name: string) =>
      [...box.querySelectorAll('button')].find((one) => one.textContent === name),
    text: () => box.textContent,
  };
}

test('items are added at the end, with the focus in the new row', async () => {
  const { texts, button, labelled } = await open();
  await click(button('Добавить пункт'));
  expect(texts()).toEqual(['Рюрик', 'Ольга', 'Ярослав', '']);
  expect(document.activeElement).toBe(labelled('Пункт 4'));
});

test('removing an item moves the focus to the row that replaces it', async () => {
  const { texts, labelled } = await open();
  await click(labelled('Удалить пункт 2'));
  expect(texts()).toEqual(['Рюрик', 'Ярослав']);
  expect(document.activeElement).toBe(labelled('Пункт 2'));
});

test('every item can be moved by its handle, and publishing problems are shown', async () => {
  const { labelled, text } = await open();
  for (const number of [1, 2, 3])
    expect(labelled(`Переставить пункт ${number}`), `${number}`).not.toBeNull();
  expect(text()).toContain('Есть пункт без текста');
  expect(text()).toContain('Запишите пункты в правильном порядке');
});

test('a pasted list that is longer than a question may be is cut with a sentence that says so', async () => {
  const { texts, labelled, button, text } = await open();
  await click(button('Добавить пункт'));
  const lines = Array.from({ length: 120 }, (_, index) => `пункт ${index + 1}`).join('\n');
  const event = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { files: [], types: [], getData: () => lines } });
  await act(async () => void labelled('Пункт 4')?.dispatchEvent(event));
  expect(texts()).toHaveLength(100);
  expect(text()).toContain('Вставлено 97 из 120 строк: остальное не поместилось.');
  await click(labelled('Удалить пункт 100'));
  expect(text()).not.toContain('не поместилось');
});
