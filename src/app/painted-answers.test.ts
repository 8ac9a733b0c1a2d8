// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { AttemptView } from '#app/outbox/types.ts';
import { storePaintedAnswers } from './painted-answers.ts';

const QUESTION = {
  questionId: 'q2',
  kind: 'variant',
  text: 'Кто?',
  points: 1,
  multiple: true,
  options: [
    { optionId: 'o1', text: 'Паскаль' },
    { optionId: 'o2', text: 'Ньютон' },
    { optionId: 'o3', text: 'Гук' },
  ],
};

let view: Record<string, unknown>;
let hasTab: boolean;
let painted: HTMLElement;
const answer = vi.fn(async () => ({ stored: 'saved' }));
const noteTyped = vi.fn();

beforeEach(() => {
  answer.mockReset();
  noteTyped.mockReset();
  hasTab = true;
  view = {
    attemptId: 'a1',
    readOnly: null,
    lastQuestionId: 'q2',
    questions: [{ questionId: 'q1', kind: 'open' }, QUESTION],
    answers: [
      { questionId: 'q1', answer: null },
      { questionId: 'q2', answer: { kind: 'variant', questionId: 'q2', optionIds: ['o3'] } },
    ],
  };
  document.body.innerHTML = `<div id="painted"><h1>Вопрос 2</h1><div role="group">
    <label><input type="checkbox"></label><label><input type="checkbox"></label>
    <label><input type="checkbox" checked></label></div>
    <p data-answer-state>Сохранено на сервере 11:02</p></div>`;
  painted = document.getElementById('painted') ?? document.body;
});

const inputs = () => [...painted.querySelectorAll('input')];
const said = () => painted.querySelector('[data-answer-state]')?.textContent;
const begin = (owner: string | null = 'anna') =>
  storePaintedAnswers(
    painted,
    {
      session: { current: () => (owner === null ? null : { user: { userId: owner } }) },
      device: {
        outbox: {
          attemptByTest: async (userId: string, testId: string) =>
            userId === 'anna' && testId === 't1' ? { attemptId: 'a1' } : null,
          snapshot: async () => view as unknown as AttemptView,
          claimTab: async () => hasTab,
          answer,
          noteTyped,
        },
      },
    } as never,
    't1',
  );
const stored = () => answer.mock.calls.map((call) => (call as unknown[])[1]);
const choice = (...optionIds: string[]) => ({ questionId: 'q2', kind: 'variant', optionIds });

test('choices are stored in the order of the options, before and after the storage is open', async () => {
  inputs()[1]?.click();
  await begin();
  await vi.waitFor(() => expect(stored()).toEqual([choice('o2', 'o3')]));
  await vi.waitFor(() => expect(said()).toBe('Сохранено на устройстве'));
  inputs()[0]?.click();
  inputs()[2]?.click();
  await vi.waitFor(() => expect(stored().at(-1)).toEqual(choice('o1', 'o2')));
  expect(stored()).toHaveLength(2);
});

test('the page says that a choice is stored only once the outbox has stored it', async () => {
  let finish = () => {};
  answer.mockImplementationOnce(
    () => new Promise((resolve) => (finish = () => resolve({ stored: 'saved' }))),
  );
  inputs()[1]?.click();
  await begin();
  await vi.waitFor(() => expect(answer).toHaveBeenCalled());
  expect(said()).toBe('Сохранено на сервере 11:02');
  finish();
  await vi.waitFor(() => expect(said()).toBe('Сохранено на устройстве'));
});

test('a page without a change stores nothing', async () => {
  await begin();
  await vi.waitFor(() => expect(said()).toBe('Сохранено на сервере 11:02'));
  expect(answer).not.toHaveBeenCalled();
});

test.each<[string, () => void]>([
  ['closed inputs', () => (view['readOnly'] = 'timeOver')],
  ['another tab', () => (hasTab = false)],
  ['another question', () => (view['lastQuestionId'] = 'q1')],
  ['other options', () => inputs()[0]?.closest('label')?.remove()],
  ['another stored answer', () => (view['answers'] = [])],
  ['a locked field', () => inputs()[0]?.toggleAttribute('disabled', true)],
])('with %s nothing is stored: the app takes over', async (_case, change) => {
  change();
  await begin();
  inputs()[1]?.click();
  await new Promise((resolve) => setTimeout(resolve));
  expect(answer).not.toHaveBeenCalled();
});

test('without a session, or without an attempt of this person, nothing is stored', async () => {
  await begin(null);
  await begin('boris');
  inputs()[1]?.click();
  await new Promise((resolve) => setTimeout(resolve));
  expect(answer).not.toHaveBeenCalled();
});

test('after a failure the next choice is stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  answer.mockRejectedValueOnce(new Error('full'));
  await begin();
  inputs()[0]?.click();
  await vi.waitFor(() => expect(answer).toHaveBeenCalledOnce());
  inputs()[1]?.click();
  await vi.waitFor(() => expect(stored().at(-1)).toEqual(choice('o1', 'o2', 'o3')));
  await vi.waitFor(() => expect(said()).toBe('Сохранено на устройстве'));
});

test('once the app has taken over nothing is stored here', async () => {
  await begin();
  painted.remove();
  inputs()[0]?.click();
  await new Promise((resolve) => setTimeout(resolve));
  expect(answer).not.toHaveBeenCalled();
});

/** The page of a question that is answered in writing. */
function paintText(value: string) {
  view['lastQuestionId'] = 'q1';
  painted.innerHTML = `<h1>Вопрос 1</h1><textarea>${value}</textarea><p data-answer-state></p>`;
  const field = painted.querySelector('textarea');
  if (!field) throw new Error('no field');
  return (text: string) => {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
}
const text = (written: string) => ({ questionId: 'q1', kind: 'open', text: written });

test('typed text is noted at each key, and stored before the app is there', async () => {
  const type = paintText('');
  type('4');
  await begin();
  await vi.waitFor(() => expect(stored()).toEqual([text('4')]));
  type('4,');
  type('4,9');
  expect(noteTyped.mock.calls.map(([, noted]) => noted)).toEqual([text('4,'), text('4,9')]);
  await vi.waitFor(() => expect(stored()).toEqual([text('4'), text('4,9')]));
  await vi.waitFor(() => expect(said()).toBe('Сохранено на устройстве'));
});

test.each<[string, () => void]>([
  ['another stored text', () => paintText('5')],
  ['two fields', () => painted.append(document.createElement('input'))],
  ['another tab', () => (hasTab = false)],
  ['a locked field', () => painted.querySelector('textarea')?.toggleAttribute('readonly', true)],
])('with %s typed text is left to the app', async (_case, change) => {
  const type = paintText('');
  change();
  await begin();
  type('4');
  await new Promise((resolve) => setTimeout(resolve));
  expect(noteTyped).not.toHaveBeenCalled();
  expect(answer).not.toHaveBeenCalled();
});
