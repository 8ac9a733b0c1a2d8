import { act } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import '#app/lib/keep-screen-on.ts';
import { AT, openTaking, takingView } from './test-taking.tsx';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));

const LAST = { lastQuestionId: 'q3' };

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock');
});

/** A browser that prevents the screen from switching off on request. */
function offerWakeLock() {
  const release = vi.fn<() => Promise<void>>(async () => undefined);
  const request = vi.fn<() => Promise<object>>(async () => ({ released: false, release }));
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  return { request, release };
}

test('the screen stays on while the student can answer, and no longer', async () => {
  const { request, release } = offerWakeLock();
  const page = await openTaking();
  await page.until(() => expect(request).toHaveBeenCalledOnce());
  await page.see({ readOnly: 'takenOver' });
  await page.until(() => expect(release).toHaveBeenCalledOnce());
  await page.see({});
  await page.until(() => expect(request).toHaveBeenCalledTimes(2));
  await page.see({ state: 'finished', readOnly: null, finishedAt: AT });
  await page.until(() => expect(release).toHaveBeenCalledTimes(2));
});

test('the heading has the focus after the page opens, and each question begins at its top', async () => {
  const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue();
  onTestFinished(() => scrolled.mockRestore());
  const page = await openTaking();
  await page.until(() => expect(document.activeElement).toBe(page.heading()));
  expect(scrolled).not.toHaveBeenCalled();
  page.button('Далее')?.focus();
  expect(document.activeElement).not.toBe(page.heading());
  await page.press('Далее');
  expect(document.activeElement).toBe(page.heading());
  expect(scrolled.mock.calls).toEqual([[{ top: 0 }]]);
});

test('a change of the attempt leaves the focus in the field', async () => {
  const page = await openTaking();
  await page.press('Далее');
  page.field()?.focus();
  await page.see({ sync: { kind: 'offline', count: 1 } });
  expect(page.field()).not.toBeNull();
  expect(document.activeElement).toBe(page.field());
});

test('the list beside the question leads to the finish and to the keys', async () => {
  const page = await openTaking();
  await page.press('Завершить тест…');
  await page.until(() => expect(page.dialogText()).toContain('Завершить тест?'));
  await page.press('Вернуться к вопросам');
  await page.until(() => expect(page.dialog()).toBeNull());
  const keys = [...document.querySelectorAll<HTMLElement>('.without-keyboard button')];
  expect(keys.map(({ textContent }) => textContent)).toEqual(['Клавиши']);
  await act(async () => keys[0]?.click());
  await page.until(() => expect(page.dialogText()).toContain('Клавиши'));
});

test('the indicator of the header leads to where the answers are', async () => {
  const page = await openTaking();
  const indicator = [...document.querySelectorAll('button')].find(({ textContent }) =>
    textContent.endsWith('Где мои ответы'),
  );
  await act(async () => indicator?.click());
  await page.until(() => expect(page.dialogText()).toContain('Где мои ответы'));
});

test('where all questions have an answer the list leads to none of them', async () => {
  const answers = (answered: boolean[]) =>
    takingView().answers.map((one, index) => ({ ...one, answered: answered[index] ?? false }));
  const page = await openTaking({ answers: answers([false, true, true]) });
  await page.press('Вопрос 1 из 3. Все вопросы');
  await page.until(() => expect(page.button('К первому без ответа: 1')).toBeDefined());
  await page.see({ answers: answers([true, true, true]) });
  expect(page.dialogText()).toContain('Все вопросы');
  expect(page.dialogText()).not.toContain('К первому без ответа');
});

test('a text that several questions share stands beside each of them', async () => {
  const [first, second, third] = takingView().questions;
  const passage = { passageId: 'p', text: 'Опыт с маятником' };
  if (!first || !second || !third) throw new Error('the view has three questions');
  const questions = [{ ...first, passage }, second, { ...third, passage }];
  const page = await openTaking({ questions });
  expect(page.whole()).toContain('Опыт с маятником');
  await page.press('Далее');
  expect(page.whole()).not.toContain('Общий текст');
  await page.press('Далее');
  expect(page.whole()).toContain('Опыт с маятником');
});

test('closed inputs without an answer say that they are closed, and open ones do not', async () => {
  const locked = 'Ответы закрыты для правки';
  const page = await openTaking();
  expect(page.whole()).not.toContain(locked);
  await page.see({ readOnly: 'takenOver' });
  expect(page.whole()).toContain(locked);
  await page.see({
    readOnly: 'takenOver',
    answers: takingView().answers.map((one) => ({ ...one, stage: 'server' })),
  });
  expect(page.whole()).not.toContain(locked);
  expect(page.whole()).toContain('Сохранено на сервере');
  expect(page.button('Подробнее')).toBeUndefined();
});

test('a question before the last one is not called the last', async () => {
  const page = await openTaking({ lastQuestionId: 'q2' });
  expect(page.whole()).not.toContain('Это последний вопрос');
});

test('an attempt that is already out of time finishes at its deadline', async () => {
  const page = await openTaking({ readOnly: 'timeOver' });
  await page.passTo(takingView().deadline);
  await page.until(() => expect(page.calls).toEqual(['finish deadline']));
});

test('while the finish is being stored its button cannot be pressed again', async () => {
  const page = await openTaking(LAST);
  page.outbox.finish.mockReturnValue(new Promise(() => undefined));
  await page.press('Завершить');
  await page.press('Завершить тест');
  await page.until(() =>
    expect(page.button('Завершить тест')?.hasAttribute('data-loading')).toBe(true),
  );
});

test('an ended session leads to the sign-in after the finish, and back', async () => {
  const page = await openTaking({
    state: 'finishing',
    readOnly: 'finishing',
    counts: { ...takingView().counts, waiting: 1 },
    sync: { kind: 'signedOut', count: 1 },
  });
  await page.press('Войти');
  await page.until(() => expect(page.whole()).toContain('Вход в систему'));
  await page.press('Вход в систему');
  await page.until(() => expect(page.whole()).not.toContain('Вход в систему'));
});

test('the file of answers carries the student’s name and the test’s title', async () => {
  const names: string[] = [];
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  onTestFinished(() => clicked.mockRestore());
  const counts = { ...takingView().counts, waiting: 1 };
  const page = await openTaking({ counts, sync: { kind: 'offline', count: 1 } });
  const save = [...document.querySelectorAll('button')].find(({ textContent }) =>
    textContent.startsWith('Сохранить'),
  );
  await act(async () => save?.click());
  await page.until(() => expect(names).toEqual(['Ответы, Анна, Законы Ньютона.json']));
});
