// @vitest-environment jsdom
import { act } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StudentQuestion } from '#contract/questions.ts';
// Loaded from the beginning, as on a device that has preloaded it.
import '#app/questions/file/FileAnswer.tsx';
import { answerView, openTaking, takingView } from './test-taking.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));

const damage = vi.hoisted(() => ({ isThere: false }));
vi.mock('#app/ui/taking/OrderingField.tsx', () => ({
  OrderingField() {
    if (damage.isThere) throw new Error('damaged');
    return <p>Здесь порядок</p>;
  },
}));

const goBack = () => act(async () => window.history.back());
const asksToUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('«back» stores the typed text and asks; the student may stay or leave', async () => {
  const page = await openTaking({ lastQuestionId: 'q3' });
  await page.type('сила');
  await goBack();
  await page.until(() => expect(page.dialogText()).toContain('Выйти из теста?'));
  expect(page.calls).toEqual(['answer q3']);
  await page.press('Остаться');
  await page.until(() => expect(page.dialog()).toBeNull());
  expect(window.location.pathname).toBe('/tests/t1');
  await goBack();
  await page.press('Выйти');
  await page.until(() => expect(window.location.pathname).toBe('/tests/my'));
});

test('«back» asks nothing where the inputs are closed', async () => {
  const page = await openTaking({ readOnly: 'takenOver' });
  await goBack();
  await page.until(() => expect(window.location.pathname).toBe('/tests/my'));
  expect(page.dialog()).toBeNull();
});

test('a file that is being read is named before leaving, and the browser asks before closing', async () => {
  const question: StudentQuestion = {
    questionId: 'q1',
    kind: 'file',
    text: 'Приложите решение.',
    points: 1,
    maxBytes: 1024,
    accept: [],
  };
  const page = await openTaking({ questions: [question], answers: [answerView('q1')] });
  const file = new File(['x'], 'скан.pdf');
  Object.assign(file, { arrayBuffer: () => new Promise(() => undefined) });
  const find = () => document.querySelector<HTMLInputElement>('input[type=file]:not([capture])');
  await page.until(() => expect(find()).not.toBeNull());
  expect(asksToUnload()).toBe(false);
  await act(async () => {
    const input = find();
    Object.defineProperty(input, 'files', { value: [file] });
    Object.defineProperty(input, 'value', { value: '', writable: true });
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(asksToUnload()).toBe(true);
  // The field itself shows where the file is stored.
  expect(page.whole()).not.toContain('Без ответа');
  await goBack();
  await page.until(() => expect(page.dialogText()).toContain('скан.pdf'));
});

test('a question that cannot be shown says so, can be tried again, and the others work', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => {
    damage.isThere = false;
    logged.mockRestore();
    warned.mockRestore();
  });
  damage.isThere = true;
  const [, next] = takingView().questions;
  const broken: StudentQuestion = {
    questionId: 'q1',
    kind: 'ordering',
    text: 'Кто раньше?',
    points: 1,
    items: [],
  };
  const page = await openTaking({
    questions: [broken, ...(next ? [next] : [])],
    answers: ['q1', 'q2'].map((questionId) => answerView(questionId)),
  });
  await page.until(() => expect(page.whole()).toContain('Этот вопрос не открылся.'));
  expect(page.whole()).toContain('Ваши ответы целы, остальные вопросы работают.');
  await page.press('Далее');
  expect(page.whole()).toContain('Чему равно g?');
  expect(page.whole()).not.toContain('Этот вопрос не открылся.');
  await page.press('Назад');
  await page.until(() => expect(page.whole()).toContain('Этот вопрос не открылся.'));
  damage.isThere = false;
  await page.press('Повторить');
  await page.until(() => expect(page.whole()).toContain('Здесь порядок'));
});
