import { expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { answerView, AT, openTaking, takingView } from './test-taking.tsx';

const usePaintedPage = vi.hoisted(() => vi.fn<(...args: unknown[]) => void>());
vi.mock('./use-painted-page.ts', () => ({ usePaintedPage }));
vi.mock('#app/api/call.ts', () => ({ call: vi.fn(() => new Promise(() => undefined)) }));

const DEADLINE = takingView().deadline;
const LAST = { lastQuestionId: 'q3' };

/** Answers «Завершить тест» in the dialog of the last question. */
async function finishByStudent(page: Awaited<ReturnType<typeof openTaking>>) {
  await page.press('Завершить');
  await page.press('Завершить тест');
}

test('the student’s finish goes after the typed text is stored, and closes its dialog', async () => {
  const page = await openTaking(LAST);
  await page.press('Завершить');
  await page.type('сила');
  await page.press('Завершить тест');
  expect(page.calls).toEqual(['answer q3', 'finish student']);
  await page.until(() => expect(page.dialog()).toBeNull());
});

test('stops the finish, shows an error and accepts typing when a text cannot be stored', async () => {
  const page = await openTaking(LAST);
  page.outbox.answer.mockRejectedValue(new Error('no device'));
  await page.type('сила');
  await finishByStudent(page);
  expect(page.outbox.finish).not.toHaveBeenCalled();
  await page.until(() => expect(page.dialog()).toBeNull());
  expect(page.whole()).toContain('Не удалось записать ответ.');
  await page.type('сила!');
  expect(page.outbox.noteTyped).toHaveBeenCalledTimes(2);
});

test('the deadline finishes the attempt even where the typed text could not be stored', async () => {
  const page = await openTaking(LAST);
  page.outbox.answer.mockRejectedValue(new Error('no device'));
  await page.type('сила');
  await page.passTo(DEADLINE);
  await page.until(() => expect(page.calls).toContain('finish deadline'));
});

test('the deadline closes an open dialog', async () => {
  const page = await openTaking(LAST);
  await page.press('Завершить');
  await page.until(() => expect(page.dialogText()).toContain('Завершить тест?'));
  await page.passTo(DEADLINE);
  await page.until(() => expect(page.dialog()).toBeNull());
});

test('keys after the deadline are ignored', async () => {
  const page = await openTaking(LAST);
  await page.passTo(DEADLINE);
  await page.type('поздно');
  expect(page.outbox.noteTyped).not.toHaveBeenCalled();
});

test('only a question that can be answered is stored for the next start', async () => {
  const isStored = () => usePaintedPage.mock.lastCall?.[2];
  const page = await openTaking(LAST);
  expect(usePaintedPage.mock.lastCall?.slice(1)).toEqual([2, true]);
  await page.see({ readOnly: 'secondTab' });
  expect(isStored()).toBe(false);
  await page.see({ readOnly: null });
  expect(isStored()).toBe(true);
  await page.see({ state: 'finishing', readOnly: 'finishing' });
  expect(isStored()).toBe(false);
  await page.see({ state: 'finishing', readOnly: null });
  expect(isStored()).toBe(false);
});

test('a deadline is reported once, and once more after it was moved', async () => {
  const page = await openTaking();
  await page.passTo(DEADLINE - 1);
  expect(page.calls).toEqual([]);
  await page.passTo(DEADLINE);
  await page.passTo(DEADLINE + 1_000);
  await page.see({ readOnly: 'timeOver' });
  expect(page.calls).toEqual(['finish deadline']);
  const deadline = DEADLINE + 60_000;
  await page.see({ deadline });
  expect(page.calls).toHaveLength(1);
  await page.passTo(deadline);
  expect(page.calls).toEqual(['finish deadline', 'finish deadline']);
});

test('a clock that was put right lets the same deadline pass again', async () => {
  const page = await openTaking();
  await page.passTo(DEADLINE);
  await page.passTo(DEADLINE - 60_000);
  await page.passTo(DEADLINE);
  expect(page.calls).toEqual(['finish deadline', 'finish deadline']);
});

test.each(['secondTab', 'takenOver', 'gone'] as const)(
  'a page that may not write (%s) finishes nothing at the deadline',
  async (readOnly) => {
    const page = await openTaking({ readOnly });
    await page.passTo(DEADLINE + 1_000);
    expect(page.calls).toEqual([]);
  },
);

test('a finish that the device could not write leaves the attempt open: typing goes on', async () => {
  const page = await openTaking(LAST);
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  page.outbox.finish.mockRejectedValueOnce(new Error('no device'));
  await finishByStudent(page);
  expect(page.dialogText()).toContain('Завершить тест?');
  await page.press('Завершить тест');
  expect(page.outbox.finish).toHaveBeenCalledTimes(2);
  await page.until(() => expect(page.dialog()).toBeNull());
  logged.mockRestore();
});

test('the typed text of a finish that failed is accepted again', async () => {
  const page = await openTaking(LAST);
  const logged = vi.spyOn(console, 'warn').mockReturnValue();
  page.outbox.finish.mockRejectedValueOnce(new Error('no device'));
  await finishByStudent(page);
  await page.type('сила');
  expect(page.outbox.noteTyped).toHaveBeenCalledOnce();
  logged.mockRestore();
});

const FINISHING = { state: 'finishing', readOnly: 'finishing' } as const;

test('a finish before the deadline opens the page that says whether one may close', async () => {
  const page = await openTaking();
  await page.see(FINISHING);
  await page.until(() => expect(page.whole()).toContain('Не закрывайте: завершение'));
  await page.see({ state: 'finished', readOnly: 'finished', finishedAt: AT });
  expect(page.whole()).toContain('Можно закрывать');
  expect(document.title).toMatch(/^Законы Ньютона(?!: вопрос)/);
});

test('at the deadline the question stays, and a button leads to what happens to the answers', async () => {
  const page = await openTaking({ readOnly: 'timeOver', now: DEADLINE });
  await page.see({ ...FINISHING, now: DEADLINE });
  expect(page.whole()).toContain('Кто открыл закон?');
  await page.press('Что с моими ответами');
  await page.until(() => expect(page.whole()).toContain('Не закрывайте: завершение'));
});

test('a reload after the finish opens the page after it', async () => {
  const page = await openTaking({ ...FINISHING, now: DEADLINE });
  await page.until(() => expect(page.whole()).toContain('Не закрывайте: завершение'));
});

test('minutes added after the finish lead back to the questions', async () => {
  const page = await openTaking(FINISHING);
  await page.see({ deadline: DEADLINE + 600_000 });
  expect(page.whole()).toContain('Кто открыл закон?');
  expect(document.title).toContain('Законы Ньютона: вопрос 1');
});

test('where the answers are can be opened on the page after the finish', async () => {
  const page = await openTaking({ state: 'finished', readOnly: 'finished', finishedAt: AT });
  await page.press('Мои ответы');
  await page.until(() => expect(page.dialogText()).toContain('Где мои ответы'));
});

test('Enter goes on to the next question, and never past the last one to the finish', async () => {
  const page = await openTaking({ lastQuestionId: 'q2' });
  await page.key('Enter');
  expect(page.whole()).toContain('Объясните почему.');
  expect(page.whole()).not.toContain('Это последний вопрос.');
  const before = page.whole().split('Это последний вопрос').length;
  await page.key('Enter');
  await page.key('Enter');
  expect(page.whole()).toContain('Объясните почему.');
  await page.until(() =>
    expect(page.whole().split('Это последний вопрос').length).toBe(before + 1),
  );
  expect(page.dialog()).toBeNull();
  expect(page.outbox.finish).not.toHaveBeenCalled();
});

test('digits choose an option, and a digit without one nothing', async () => {
  const page = await openTaking();
  await page.key('3');
  expect(page.outbox.answer).not.toHaveBeenCalled();
  await page.key('2');
  expect(page.outbox.answer.mock.lastCall).toEqual([
    'a1',
    { questionId: 'q1', kind: 'variant', optionIds: ['o2'] },
  ]);
});

test('digits add to the choice where several are right', async () => {
  const { questions } = takingView();
  const answer: Answer = { questionId: 'q1', kind: 'variant', optionIds: ['o1'] };
  const page = await openTaking({
    questions: questions.map((one) => (one.kind === 'variant' ? { ...one, multiple: true } : one)),
    answers: questions.map(({ questionId }) =>
      answerView(questionId, questionId === 'q1' ? { answer, answered: true } : {}),
    ),
  });
  await page.key('2');
  expect(page.outbox.answer.mock.lastCall?.[1]).toMatchObject({ optionIds: ['o1', 'o2'] });
});

test('digits do nothing in a question without options', async () => {
  const page = await openTaking(LAST);
  await page.key('1');
  expect(page.outbox.answer).not.toHaveBeenCalled();
});

test('closed inputs accept no digit, mark or finish', async () => {
  const page = await openTaking({ readOnly: 'takenOver' });
  await page.key('1');
  await page.key('м');
  expect(page.calls).toEqual([]);
  for (const name of ['Отметить', 'Завершить тест…', 'Завершить'])
    expect(page.button(name), name).toBeUndefined();
});

test('a question is marked and unmarked by key and by button', async () => {
  const page = await openTaking();
  await page.key('м');
  expect(page.calls).toEqual(['"mark" "a1" "q1" true']);
  await page.see({
    answers: takingView().answers.map((one, index) => ({ ...one, marked: index === 0 })),
  });
  await page.press('Отмечен');
  expect(page.calls.at(-1)).toBe('"mark" "a1" "q1" false');
});

test('keys do nothing on the page after the finish', async () => {
  const page = await openTaking({ state: 'finished', readOnly: null, finishedAt: AT });
  await page.key('1');
  await page.key('м');
  expect(page.calls).toEqual([]);
});

test('going to another question stores the typed text at once', async () => {
  const page = await openTaking(LAST);
  await page.type('сила');
  await page.press('Назад');
  expect(page.calls).toHaveLength(2);
  expect(page.calls).toEqual(expect.arrayContaining(['"last" "a1" "q2"', 'answer q3']));
  expect(page.whole()).toContain('Чему равно g?');
});

test('the first question has none before it', async () => {
  const page = await openTaking();
  expect(page.button('Назад')).toHaveProperty('disabled', true);
});

test('the attempt opens again at the question where it was left', async () => {
  expect((await openTaking({ lastQuestionId: 'q2' })).whole()).toContain('Чему равно g?');
});

test('a question that is no longer in the test leads to the first one', async () => {
  expect((await openTaking({ lastQuestionId: 'gone' })).whole()).toContain('Кто открыл закон?');
});

test('another question gets the focus on its heading', async () => {
  const page = await openTaking();
  await page.press('Далее');
  expect(document.activeElement).toBe(page.heading());
  expect(page.heading()?.textContent).toContain('2');
});

test('the list of questions leads to the first one without an answer', async () => {
  const { answers } = takingView();
  const page = await openTaking({
    ...LAST,
    answers: answers.map((one, index) => ({ ...one, answered: index !== 1 })),
  });
  await page.press('Вопрос 3 из 3. Все вопросы');
  await page.press('К первому без ответа: 2');
  await page.until(() => expect(page.dialog()).toBeNull());
  expect(page.whole()).toContain('Чему равно g?');
});

test('the list of questions leads to the finish and to the keys', async () => {
  const page = await openTaking();
  await page.press('Вопрос 1 из 3. Все вопросы');
  await page.press('Завершить тест…');
  await page.until(() => expect(page.dialogText()).toContain('Завершить тест?'));
  await page.press('Вернуться к вопросам');
  await page.press('Вопрос 1 из 3. Все вопросы');
  await page.until(() => expect(page.dialogText()).toContain('Все вопросы'));
  await page.press('Клавиши');
  await page.until(() => expect(page.dialogText()).toContain('Клавиши'));
  expect(page.dialogText()).not.toContain('Все вопросы');
});

test('with closed inputs the list of questions offers neither a finish nor what is unanswered', async () => {
  const page = await openTaking({ readOnly: 'takenOver' });
  await page.press('1 из 3');
  await page.until(() => expect(page.dialogText()).toContain('Все вопросы'));
  expect(page.button('Завершить тест…')).toBeUndefined();
  expect(page.button('К первому без ответа: 1')).toBeUndefined();
});

test('an attempt that closes hides the finish dialog: it would be refused', async () => {
  const page = await openTaking(LAST);
  await page.press('Завершить');
  await page.until(() => expect(page.dialogText()).toContain('Завершить тест?'));
  await page.see({ ...LAST, readOnly: 'takenOver' });
  await page.until(() => expect(page.dialog()).toBeNull());
});

test('closed inputs stay readable, with an exit from the test', async () => {
  const page = await openTaking({ readOnly: 'takenOver' });
  await page.press('К тестам');
  expect(page.onLeave).toHaveBeenCalledOnce();
});

test('an answer that the server refused leads to where the answers are', async () => {
  const { answers } = takingView();
  const page = await openTaking({
    answers: answers.map((one, index) => (index === 0 ? { ...one, stage: 'setAside' } : one)),
  });
  await page.press('Подробнее');
  await page.until(() => expect(page.dialogText()).toContain('Где мои ответы'));
});

test('an ended session leads to the sign-in over the test', async () => {
  const page = await openTaking({ sync: { kind: 'signedOut', count: 1 } });
  expect(page.whole()).not.toContain('Вход в систему');
  await page.press('Войти');
  await page.until(() => expect(page.whole()).toContain('Вход в систему'));
});

test('answers saved to a file include the text typed last', async () => {
  const counts = { ...takingView().counts, waiting: 1 };
  const page = await openTaking({ ...LAST, counts, sync: { kind: 'offline', count: 1 } });
  await page.type('сила');
  const save = [...document.querySelectorAll('button')].find((one) =>
    one.textContent.startsWith('Сохранить'),
  );
  await page.press(save?.textContent ?? 'Сохранить');
  await page.until(() => expect(page.calls).toEqual(['answer q3', 'export anna']));
});

const asksToUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks before closing only where an answer is in memory alone', async () => {
  const page = await openTaking();
  expect(asksToUnload()).toBe(false);
  await page.see({ counts: { ...takingView().counts, unsaved: 1 } });
  expect(asksToUnload()).toBe(true);
  await page.see({});
  expect(asksToUnload()).toBe(false);
});

test('the browser asks before closing while an answer could not be written', async () => {
  const page = await openTaking();
  page.outbox.answer.mockRejectedValue(new Error('no device'));
  await page.key('1');
  await page.until(() => expect(page.whole()).toContain('Не удалось записать ответ.'));
  expect(asksToUnload()).toBe(true);
  // The student can do nothing about it any more.
  await page.see({ readOnly: 'takenOver' });
  expect(asksToUnload()).toBe(false);
});
