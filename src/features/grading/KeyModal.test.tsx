import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';
import { click, press, render, type Rendered } from '#app/ui/test-render.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { KeyModal } from './KeyModal.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('@tanstack/react-router', () => ({
  useBlocker: () => ({ status: 'idle' }),
  useRouter: () => undefined,
}));

const question: Question = {
  questionId: '00000000-0000-4000-8000-000000000003',
  kind: 'open',
  text: 'Чему равно g?',
  points: 1,
  input: 'line',
  accepted: [{ text: '9,8', share: 1 }],
  tolerance: 0,
};

let shown: Rendered;
const onClose = vi.fn();

// A closed modal removes its history entry asynchronously, which would close the next test's modal.
beforeAll(() => {
  vi.spyOn(window.history, 'back').mockImplementation(() => undefined);
});
beforeEach(async () => {
  onClose.mockReset();
  vi.mocked(call).mockResolvedValue({ rescored: 0, changed: [] });
  shown = await render(
    <QueryClientProvider client={new QueryClient()}>
      <KeyModal testId="t1" question={question} number={1} onClose={onClose} />
    </QueryClientProvider>,
  );
});
afterEach(() => shown.unmount());

const field = (label: string) => {
  const named = [...shown.container.querySelectorAll('label')].find(
    ({ textContent }) => textContent?.trim() === label,
  );
  const found = shown.container.querySelector(`[id="${named?.htmlFor}"]`);
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) return found;
  throw new Error(`No field ${label}`);
};
const type = (label: string, value: string) =>
  act(async () => {
    const input = field(label);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
const button = (label: string) =>
  [...shown.container.querySelectorAll('button')].find(
    ({ textContent }) => textContent?.trim() === label,
  );
const closings = {
  cross: () => click(shown.container.querySelector('button[aria-label="Закрыть"]')),
  Escape: () => press(shown.container.querySelector('[role=dialog]'), 'Escape'),
};

test.each(['cross', 'Escape'] as const)(
  'an unfinished correction asks before %s discards it, and stays unchanged',
  async (closing) => {
    await type('Ответ 1', '9,81');
    await closings[closing]();
    expect(onClose).not.toHaveBeenCalled();
    await click(button('Вернуться к форме'));
    expect(field('Ответ 1').value).toBe('9,81');
    await closings.cross();
    await click(button('Закрыть без сохранения'));
    expect(onClose).toHaveBeenCalledTimes(1);
  },
);

const sign = () => shown.container.querySelector('[aria-label="Сменить знак"]');

test('an accepted number can change its sign by a button, one of words has none', async () => {
  expect(sign()).toBeNull();
  await shown.show(key({ kind: 'open', input: 'number' }));
  await click(sign());
  expect(field('Ответ 1').value).toBe('−9,8');
});

const key = (facts: Partial<Question>) => (
  <QueryClientProvider client={new QueryClient()}>
    <ContentLanguage value="en">
      <KeyModal
        key={facts.kind}
        testId="t1"
        question={{ ...question, ...facts } as Question}
        number={1}
        onClose={onClose}
      />
    </ContentLanguage>
  </QueryClientProvider>
);

test('the key of a test in English has its language in every field', async () => {
  await shown.show(key({ kind: 'open', points: 2 }));
  expect(field('Ответ 1').lang).toBe('en');
  const accepted = [{ text: 'ice', share: 1 }];
  const gap = { gapId: '1', weight: 1, input: 'line', accepted, tolerance: 0 };
  await shown.show(key({ kind: 'gaps', text: '[[1]]', gaps: [gap] } as Partial<Question>));
  expect(shown.container.querySelector<HTMLElement>('textarea')?.lang).toBe('en');
  await shown.show(
    key({
      kind: 'compliance',
      left: [{ leftId: '1', text: 'ice' }],
      right: [{ rightId: 'a', text: 'cold' }],
      pairs: [{ leftId: '1', rightId: 'a' }],
    }),
  );
  const select = shown.container.querySelector('select');
  expect(select?.lang).toBe('en');
  expect(select?.labels[0]?.lang).toBe('en');
});

test('a previewed but unsaved correction also asks for confirmation', async () => {
  await type('Что исправлено', 'Округление');
  await click(button('Посмотреть, что изменится'));
  expect(button('Назад к ключу')).toBeDefined();
  await closings.cross();
  expect(onClose).not.toHaveBeenCalled();
  await click(button('Вернуться к форме'));
  await click(button('Назад к ключу'));
  expect(field('Что исправлено').value).toBe('Округление');
});

test('a saved or unchanged correction closes without confirmation', async () => {
  await type('Ответ 1', '9,81');
  await type('Ответ 1', '9,8');
  await closings.cross();
  expect(onClose).toHaveBeenCalledTimes(1);
  await type('Что исправлено', 'Округление');
  await click(button('Посмотреть, что изменится'));
  await click(button('Исправить ключ'));
  await closings.cross();
  expect(onClose).toHaveBeenCalledTimes(2);
});

test.each([
  ['everybody', 'everybody'],
  ['nobody', 'nobody'],
  ['key', undefined],
])('«Как засчитать вопрос»: %s is sent with the question', async (choice, credit) => {
  await act(async () => {
    const select = shown.container.querySelector('select');
    if (!select) throw new Error('No select');
    select.value = choice;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await type('Что исправлено', 'В условии опечатка');
  await click(button('Посмотреть, что изменится'));
  const [, sent] = vi.mocked(call).mock.lastCall ?? [];
  expect(sent).toMatchObject({ body: { dryRun: true, reason: 'В условии опечатка' } });
  expect((sent as { body: { question: Question } }).body.question.credit).toBe(credit);
});
