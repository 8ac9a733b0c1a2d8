import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { questionProblems } from '#domain/publishing.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { PairsPart } from './PairsPart.tsx';
import type { Of } from '#app/questions/form/parts.ts';

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

const matching: Of<'compliance'> = {
  questionId: 'q',
  kind: 'compliance',
  text: 'К какому классу относится животное?',
  points: 1,
  shuffle: true,
  left: ['кит', 'крот', 'сом'].map((text) => ({ leftId: text, text })),
  right: ['звери', '', 'рыбы', 'птицы'].map((text, index) => ({ rightId: `r${index}`, text })),
  pairs: ['кит', 'крот', 'сом'].map((leftId, index) => ({ leftId, rightId: `r${index}` })),
};

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

async function open() {
  const latest: { question: Question } = { question: matching };
  function Editor() {
    const [question, setQuestion] = useState(matching);
    return (
      <PairsPart
        question={question}
        problems={[]}
        onChange={(next) => {
          latest.question = next;
          setQuestion(next as Of<'compliance'>);
        }}
      />
    );
  }
  shown = await render(<Editor />);
  const box = shown.container;
  return {
    question: () => latest.question,
    toggle: () =>
      [...box.querySelectorAll('[role=switch]')].find(
        (one) => one.parentElement?.textContent === 'Правые могут повторяться',
      ),
    right: (pair: number) =>
      box.querySelector<HTMLSelectElement>(`select[aria-label="Элемент справа в паре ${pair}"]`),
    typed: (pair: number) =>
      box.querySelector<HTMLTextAreaElement>(`[aria-label="Справа ${pair}"]`)?.value,
  };
}

const choose = (field: HTMLSelectElement | null, value: string) =>
  act(async () => {
    if (!field) throw new Error('No list');
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });

test('a teacher gives several left items one right item, and one of its own again', async () => {
  const { question, toggle, right, typed } = await open();
  expect(right(2)).toBeNull();
  await click(toggle());
  expect([...(right(2)?.options ?? [])].map(({ text }) => text)).toEqual([
    'Свой',
    'Как в паре 1: звери',
    'Как в паре 3: рыбы',
    'Из лишних: птицы',
  ]);
  await choose(right(2), 'r0');
  expect(question()).toMatchObject({ reuse: true, right: { length: 3 } });
  expect(questionProblems(question())).toEqual([]);
  expect([right(1)?.value, right(2)?.value, right(3)?.value]).toEqual(['r0', 'r0', '']);
  expect(typed(2)).toBe('звери');
  await choose(right(1), '');
  expect([right(1)?.value, typed(1), typed(2)]).toEqual(['', '', 'звери']);
});

test('once repetition is forbidden again, the list stays at pairs that still share', async () => {
  const { question, toggle, right } = await open();
  await click(toggle());
  await choose(right(2), 'r0');
  await click(toggle());
  expect(questionProblems(question())).toEqual([
    'элемент справа входит в две пары: разрешите правым повторяться',
  ]);
  expect([right(1)?.value, right(2)?.value, right(3)]).toEqual(['r0', 'r0', null]);
});
