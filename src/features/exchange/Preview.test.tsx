import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { firstChosen, partsOf } from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { Preview } from './Preview.tsx';

const bank: ImportedTest = {
  format: 'gift',
  title: null,
  items: Array.from({ length: 650 }, (_, index) => ({
    question: {
      questionId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      kind: 'open',
      input: 'text',
      text: `Вопрос ${index + 1}`,
      points: 1,
      accepted: [],
      tolerance: 0,
    },
    place: `строка ${index}`,
    losses: [],
    source: `${index}`,
  })),
  refused: [],
  pictures: [],
  notes: [],
};

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

test('of a bank one part is shown, a hundred rows at a time; what the test has is said and not ticked', async () => {
  const part = partsOf(bank)[1] ?? { from: 0, to: 0 };
  const present = new Set(['300', '302']);
  function Sheet() {
    const [chosen, setChosen] = useState(() => firstChosen(bank, part, present, 300));
    return (
      <Preview imported={bank} part={part} present={present} chosen={chosen} onChosen={setChosen} />
    );
  }
  shown = await render(<Sheet />);
  const box = shown.container;
  const rows = () => [...box.querySelectorAll('li')];
  const ticked = () => rows().map((row) => row.querySelector('input')?.checked);
  expect(rows()).toHaveLength(100);
  expect(rows()[0]?.textContent).toContain('Вопрос 301');
  expect(rows()[0]?.textContent).toContain('Уже есть в этом тесте');
  expect(rows()[1]?.textContent).not.toContain('Уже есть');
  expect(ticked().slice(0, 4)).toEqual([false, true, false, true]);
  expect(box.textContent).toContain('Уже есть в этом тесте: 2. Они не отмечены.');
  await click(rows()[0]?.querySelector('input'));
  expect(ticked()[0]).toBe(true);
  const more = () =>
    [...box.querySelectorAll('button')].find((one) => one.textContent?.includes('Показать ещё'));
  await click(more());
  await click(more());
  expect(rows()).toHaveLength(300);
  expect(more()).toBeUndefined();
});

test('what keeps a question from being published is said before anything is stored', async () => {
  const [first] = bank.items;
  if (!first) throw new Error('no item');
  const question = { ...first.question, points: 0, text: 'Без баллов' };
  const imported = { ...bank, items: [{ ...first, question, losses: ['Отзыв не перенесён'] }] };
  shown = await render(
    <Preview
      imported={imported}
      part={{ from: 0, to: 1 }}
      present={new Set()}
      chosen={new Set([0])}
      onChosen={() => undefined}
    />,
  );
  const lines = [...shown.container.querySelectorAll('li li')].map((line) => line.textContent);
  expect(lines).toEqual([
    'Отзыв не перенесён',
    'Перед публикацией исправьте: баллы должны быть больше нуля',
  ]);
  expect(shown.container.textContent).toContain('Перед публикацией исправить: 1.');
});
