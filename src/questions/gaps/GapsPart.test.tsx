import { act, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { Gap, Question } from '#contract/questions.ts';
import { click, render, type Rendered } from '#app/ui/test-render.tsx';
import { GapsPart } from './GapsPart.tsx';
import type { Of } from '#app/questions/form/parts.ts';
import type { Selection } from '#app/questions/form/text-edit.ts';

// jsdom has no popovers, which menus use.
Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} });

let shown: Rendered | undefined;
afterEach(async () => {
  await shown?.unmount();
  shown = undefined;
});

const empty: Of<'gaps'> = { questionId: 'q', kind: 'gaps', text: '', points: 1, gaps: [] };
const word = (gapId: string, text: string): Gap => ({
  gapId,
  weight: 1,
  input: 'line',
  accepted: [{ text, share: 1 }],
  tolerance: 0,
});

async function open(part: Partial<Of<'gaps'>>, at: Selection = { start: 0, end: 0 }) {
  const latest: { question: Of<'gaps'> } = { question: { ...empty, ...part } };
  function Editor() {
    const [question, setQuestion] = useState(latest.question);
    return (
      <GapsPart
        question={question}
        problems={[]}
        selection={() => at}
        onChange={(next: Question) => {
          latest.question = next as Of<'gaps'>;
          setQuestion(latest.question);
        }}
      />
    );
  }
  shown = await render(<Editor />);
  const box = shown.container;
  return {
    now: () => latest.question,
    labelled: (label: string) =>
      box.querySelector<HTMLInputElement & HTMLSelectElement>(`[aria-label="${label}"]`),
    button: (name: string) =>
      [...box.querySelectorAll('button')].find((one) => one.textContent === name),
    group: (name: string) =>
      [...box.querySelectorAll('fieldset')].find(
        (one) => one.querySelector('legend')?.textContent === name,
      ),
    toggle: () => box.querySelector<HTMLInputElement>('[role=switch]'),
  };
}

async function choose(select: HTMLSelectElement | null, value: string) {
  if (!select) throw new Error('no such list');
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

test('a selected word becomes a gap that accepts it; blanks around it stay in the text', async () => {
  const { now, button } = await open(
    { text: 'Столица – Рим , река – Тибр' },
    { start: 9, end: 14 },
  );
  await click(button('Добавить пропуск'));
  expect(now()).toMatchObject({
    text: 'Столица – [[1]] , река – Тибр',
    gaps: [word('1', 'Рим')],
  });
});

test('without a selection an empty gap is put where the caret stands, with a free number', async () => {
  const { now, button } = await open(
    { text: 'Да [[4]]', gaps: [word('4', 'а')] },
    { start: 2, end: 2 },
  );
  await click(button('Добавить пропуск'));
  expect(now()).toMatchObject({ text: 'Да[[5]] [[4]]', gaps: [word('4', 'а'), word('5', '')] });
});

test('a deleted gap leaves the text, too', async () => {
  const { now, labelled } = await open({ text: 'а [[1]] б', gaps: [word('1', 'в')] });
  await click(labelled('Удалить пропуск 1'));
  expect(now()).toMatchObject({ text: 'а  б', gaps: [] });
});

test('accepted answers become right options of a list, and come back', async () => {
  const { now, labelled, button } = await open({ text: '[[1]]', gaps: [word('1', 'Рим')] });
  const input = () => labelled('Что в пропуске 1');
  await choose(input(), 'choice');
  const [gap] = now().gaps;
  expect(
    gap?.input === 'choice' && gap.options.map(({ text, isRight }) => [text, isRight]),
  ).toEqual([
    ['Рим', true],
    ['', false],
    ['', false],
  ]);
  await click(button('Добавить вариант'));
  await click(labelled('Удалить вариант 2'));
  await click(labelled('Верный: вариант 2'));
  const [listed] = now().gaps;
  expect(listed?.input === 'choice' && listed.options.map(({ isRight }) => isRight)).toEqual([
    true,
    true,
    false,
  ]);
  await choose(input(), 'number');
  expect(now().gaps).toMatchObject([
    {
      input: 'number',
      accepted: [
        { text: 'Рим', share: 1 },
        { text: '', share: 1 },
      ],
    },
  ]);
});

test('weights are shown on demand, and equal again without it', async () => {
  const { now, labelled, toggle } = await open({
    text: '[[1]] [[2]]',
    gaps: [word('1', 'а'), { ...word('2', 'б'), weight: 3 }],
  });
  expect(labelled('Вес пропуска 2')?.value).toBe('3');
  await click(toggle());
  expect(now().gaps.map(({ weight }) => weight)).toEqual([1, 1]);
  expect(labelled('Вес пропуска 2')).toBeNull();
});

test('a gap without its place in the text says so', async () => {
  const { group } = await open({ text: 'пусто', gaps: [word('2', 'а')] });
  expect(group('Пропуск 2')?.textContent).toContain('В тексте нет [[2]]');
});

test('lists of several gaps become one, from which the student fills all of them', async () => {
  const list = (gapId: string, text: string): Gap => ({
    gapId,
    weight: 1,
    input: 'choice',
    options: [{ optionId: gapId, text, isRight: true }],
  });
  const { now, button } = await open({
    text: '[[1]] [[2]]',
    gaps: [list('1', 'лёд'), list('2', 'пар')],
  });
  await click(button('Один список слов на все пропуски'));
  expect(
    now().gaps.map((gap) =>
      gap.input === 'choice' ? gap.options.map(({ text, isRight }) => [text, isRight]) : gap,
    ),
  ).toEqual([
    [
      ['лёд', true],
      ['пар', false],
    ],
    [
      ['лёд', false],
      ['пар', true],
    ],
  ]);
  expect(button('Один список слов на все пропуски')).toBeUndefined();
  expect(shown?.container.textContent).toContain('Список у пропусков общий');
});
