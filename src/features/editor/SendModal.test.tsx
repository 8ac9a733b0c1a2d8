import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { appendQuestions } from '#app/drafts/append.ts';
import { click } from '#app/ui/test-render.tsx';
import { SendModal } from './SendModal.tsx';
import { renderEditor } from './test-editor.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
vi.mock('#app/drafts/append.ts', () => ({ appendQuestions: vi.fn() }));

const questions: Question[] = ['a', 'b'].map((id) => ({
  questionId: id,
  kind: 'file',
  text: id,
  points: 1,
  maxBytes: 1_000,
  accept: [],
}));
const test1 = { id: 'one', title: 'Этот тест', lifecycle: 'draft', level: 'owner' };
const test2 = { id: 'two', title: 'Векторы', lifecycle: 'active', level: 'owner' };
const onSent = vi.fn<(test: { id: string; title: string }) => void>();

let shown: Awaited<ReturnType<typeof renderEditor>>;
beforeEach(async () => {
  onSent.mockReset();
  vi.mocked(appendQuestions).mockReset();
  vi.mocked(call).mockResolvedValue({ items: [test1, test2], total: 2 });
  shown = await renderEditor(
    <SendModal
      testId="one"
      questions={questions}
      how="move"
      onClose={() => undefined}
      onSent={onSent}
    />,
  );
});
afterEach(() => shown.unmount());

const send = () =>
  click(
    [...shown.container.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Переместить',
    ),
  );

test('questions are removed from this test only once the other one has stored them', async () => {
  await vi.waitFor(() => expect(shown.container.querySelectorAll('[type=radio]')).toHaveLength(1));
  await send();
  expect(shown.container.textContent).toContain('Выберите тест');
  expect(appendQuestions).not.toHaveBeenCalled();
  await click(shown.container.querySelector('[type=radio]'));
  vi.mocked(appendQuestions).mockRejectedValueOnce(
    new ApiFailure({ kind: 'unreachable', method: 'PUT', url: '' }),
  );
  await send();
  await vi.waitFor(() =>
    expect(shown.container.textContent).toContain('Вопросы остались здесь. Сервер не отвечает'),
  );
  expect(onSent).not.toHaveBeenCalled();
  vi.mocked(appendQuestions).mockResolvedValueOnce();
  await send();
  await vi.waitFor(() => expect(onSent).toHaveBeenCalledWith({ id: 'two', title: 'Векторы' }));
  const [first, second] = vi.mocked(appendQuestions).mock.calls;
  expect(first?.[0]).toBe('two');
  expect(second?.[1]).toEqual(first?.[1]);
});
