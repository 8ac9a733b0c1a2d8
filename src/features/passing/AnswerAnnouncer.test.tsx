import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import type { QuestionView } from '#app/outbox/types.ts';
import { ChoiceList } from '#app/ui/taking/ChoiceList.tsx';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { AnswerAnnouncer } from './AnswerAnnouncer.tsx';

const OPTIONS = ['Паскаль', 'Ньютон', 'Джоуль'].map((text, index) => ({ id: `o${index}`, text }));

const viewOf = (answer: Answer | null, stage: QuestionView['stage'], questionId = 'q1') =>
  ({
    questionId,
    answer,
    answered: answer !== null,
    stage,
    at: null,
    marked: false,
    receipt: null,
    refusal: null,
    upload: null,
  }) satisfies QuestionView;
const chosen = (...optionIds: string[]): Answer => ({
  questionId: 'q1',
  kind: 'variant',
  optionIds,
});
const typed = (text: string): Answer => ({ questionId: 'q1', kind: 'open', text });

let screen: Rendered;
beforeEach(() => vi.useFakeTimers());
afterEach(async () => {
  vi.useRealTimers();
  await screen.unmount();
});

const page = (shown: QuestionView) => (
  <>
    <ChoiceList
      options={OPTIONS}
      selected={shown.answer?.kind === 'variant' ? shown.answer.optionIds : []}
      multiple
      labelledBy="text"
      onChange={() => {}}
    />
    <AnswerAnnouncer shown={shown} labelledBy="text" />
  </>
);
const show = (...view: Parameters<typeof viewOf>) => screen.show(page(viewOf(...view)));
const region = () => screen.container.querySelector('output');
const after = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

test('what is chosen is spoken in words with the first place where it is stored, then each further place once', async () => {
  screen = await render(page(viewOf(null, 'none')));
  const first = region();
  expect(first?.textContent).toBe('');
  await show(chosen('o1'), 'none');
  await show(chosen('o1'), 'device');
  await after(500);
  expect(region()?.textContent).toBe('Выбрано: Ньютон. Сохранено на устройстве');
  await show(chosen('o1'), 'sending');
  await after(5_000);
  expect(region()?.textContent).toBe('Выбрано: Ньютон. Сохранено на устройстве');
  await show(chosen('o1'), 'server');
  await after(2_000);
  expect(region()?.textContent).toBe('Сохранено на сервере');
  await show(chosen('o1', 'o2'), 'server');
  await after(500);
  expect(region()?.textContent).toBe('Выбрано: Ньютон; Джоуль. Сохранено на сервере');
  expect(region()).toBe(first);
});

test('typing is not spoken into; after a pause the place is spoken, and again for the next text', async () => {
  screen = await render(page(viewOf(null, 'none')));
  for (const text of ['4', '4,', '4,9']) {
    await show(typed(text), 'device');
    await after(1_500);
    expect(region()?.textContent).toBe('');
  }
  await after(500);
  expect(region()?.textContent).toBe('Сохранено на устройстве');
  await show(typed('4,95'), 'device');
  expect(region()?.textContent).toBe('');
  await after(2_000);
  expect(region()?.textContent).toBe('Сохранено на устройстве');
});

test('another question is silent until its answer changes, and the region stays', async () => {
  screen = await render(page(viewOf(chosen('o0'), 'server')));
  const first = region();
  await show(chosen('o1'), 'server');
  await after(500);
  expect(region()?.textContent).toBe('Выбрано: Ньютон. Сохранено на сервере');
  await show(typed('ответ'), 'server', 'q2');
  expect(region()?.textContent).toBe('');
  await after(10_000);
  expect(region()?.textContent).toBe('');
  expect(region()).toBe(first);
});

test('a file that was picked or removed is named', async () => {
  const file = (fileId: string | null, name: string): Answer => ({
    questionId: 'q1',
    kind: 'file',
    fileId,
    name,
    size: 1,
    mimeType: 'image/png',
    sha256: '',
  });
  screen = await render(page(viewOf(null, 'none')));
  await show(file('f', 'решение.png'), 'device');
  await after(500);
  expect(region()?.textContent).toBe('Файл выбран: решение.png. Сохранено на устройстве');
  await show(file(null, ''), 'device');
  await after(500);
  expect(region()?.textContent).toBe('Файл убран. Сохранено на устройстве');
});
