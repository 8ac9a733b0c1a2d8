import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { DeviceContext, type DeviceServices } from '#app/lib/device-services.ts';
import {
  OutboxRefusal,
  type AttemptView,
  type QuestionView,
  type Stage,
} from '#app/outbox/types.ts';
import { render, type Rendered } from '#app/ui/test-render.tsx';
import { useAnswering, useShownAnswer, type Answering } from './use-answering.ts';

let drawn: Rendered | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await drawn?.unmount();
  drawn = undefined;
});

const text = (words: string): Answer => ({ questionId: 'q', kind: 'open', text: words });
const choice = (...optionIds: string[]): Answer => ({
  questionId: 'q',
  kind: 'variant',
  optionIds,
});
const question = (answer: Answer, stage: Stage = 'device'): QuestionView =>
  ({ questionId: 'q', answer, stage, at: 1 }) as QuestionView;

/** A page of the attempt, drawn with one view after another. The device stores each answer at once. */
async function answeringPage() {
  vi.useFakeTimers();
  const draw = vi.fn<(answering: Answering) => null>(() => null);
  let sequence = 1;
  const answer = vi.fn<DeviceServices['outbox']['answer']>(async () => {
    sequence += 1;
    return { operationId: String(sequence), stream: 's', sequence, saved: true };
  });
  const noteTyped = vi.fn<DeviceServices['outbox']['noteTyped']>();
  const drawAnswer = vi.fn<(shown: QuestionView) => null>(() => null);
  const Shown = ({ answering }: { answering: Answering }) =>
    drawAnswer(useShownAnswer(answering, question(choice('a'), 'server')));
  const Probe = ({ view }: { view: AttemptView }) => {
    const answering = useAnswering(view);
    draw(answering);
    return <Shown answering={answering} />;
  };
  const changeFiles = vi.fn<DeviceServices['outbox']['changeFiles']>();
  const device = { outbox: { answer, noteTyped, changeFiles } } as unknown as DeviceServices;
  const page = (view: Partial<AttemptView>) => (
    <DeviceContext value={device}>
      <Probe view={{ attemptId: 'a', stream: 's', readOnly: null, ...view } as AttemptView} />
    </DeviceContext>
  );
  const here = await render(page({ head: 1 }));
  drawn = here;
  const now = () => {
    const last = draw.mock.lastCall?.[0];
    if (!last) throw new Error('nothing was drawn');
    return last;
  };
  const see = (view: Partial<AttemptView>) => here.show(page(view));
  const leave = () => here.unmount();
  return { answer, changeFiles, noteTyped, now, see, drawn: draw, drawAnswer, leave };
}

test.each(['device', 'server'] as const)(
  'typed text that is not stored yet does not stand beside «saved» of the text before it: %s',
  async (stage) => {
    const { answer, now, see } = await answeringPage();
    const before = question(text('4'), stage);
    expect(now().shown(before)).toEqual(before);

    await act(async () => now().type(text('4,9')));
    expect(now().shown(before).answer).toEqual(text('4,9'));
    expect(now().shown(before)).toMatchObject({ stage: 'none', at: null });

    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(answer).toHaveBeenCalledOnce();
    await see({ head: 2 });
    expect(now().shown(question(text('4,9'), stage))).toMatchObject({ stage, at: 1 });
  },
);

test('a choice stays while views come that were read before it was written', async () => {
  const { now, see } = await answeringPage();
  const before = question(choice('a'));
  await act(async () => now().choose(choice('a', 'b')));
  await see({ head: 1 });
  expect(now().shown(before)).toMatchObject({ answer: choice('a', 'b'), stage: 'none' });
  await see({ head: 2 });
  const after = question(choice('a', 'b'));
  expect(now().shown(after)).toEqual(after);
});

test('typed text stays while views come that were read before it was written', async () => {
  const { now, see } = await answeringPage();
  const before = question(text('4'), 'server');
  await act(async () => now().type(text('4,9')));
  await act(() => vi.advanceTimersByTimeAsync(500));
  await see({ head: 1 });
  expect(now().shown(before).answer).toEqual(text('4,9'));
  // «On the server» refers to the previous text.
  expect(now().shown(before)).toMatchObject({ answer: text('4,9'), stage: 'none' });
  await see({ head: 2 });
  expect(now().shown(question(text('4,95'))).answer).toEqual(text('4,95'));
});

test('a choice and each key draw the answer alone, not the page', async () => {
  const { now, drawn: drawPage, drawAnswer } = await answeringPage();
  const before = drawPage.mock.calls.length;
  await act(async () => now().choose(choice('b')));
  expect(drawAnswer.mock.lastCall?.[0]).toMatchObject({ answer: choice('b'), stage: 'none' });
  await act(async () => now().type(choice('a', 'b')));
  expect(drawAnswer.mock.lastCall?.[0]).toMatchObject({ answer: choice('a', 'b') });
  expect(drawPage.mock.calls.length).toBe(before);
});

test('an answer of an old stream is replaced by that of the new stream', async () => {
  const { now, see } = await answeringPage();
  await act(async () => now().choose(choice('b')));
  await see({ stream: 'other', head: 0 });
  const theirs = question(choice('a'), 'server');
  expect(now().shown(theirs)).toEqual(theirs);
});

test('each key is noted before anything is stored, and leaving the page stores at once', async () => {
  const { answer, noteTyped, now } = await answeringPage();
  await act(async () => now().type(text('4')));
  await act(async () => now().type(text('4,9')));
  expect(noteTyped.mock.calls.map(([, typed]) => typed)).toEqual([text('4'), text('4,9')]);
  expect(noteTyped.mock.lastCall?.[0]).toMatchObject({ attemptId: 'a', stream: 's' });
  expect(answer).not.toHaveBeenCalled();
  await act(async () => void window.dispatchEvent(new Event('beforeunload')));
  expect(answer).toHaveBeenLastCalledWith('a', text('4,9'));
});

test.each(['pagehide', 'blur'])('%s stores what is typed', async (type) => {
  const { answer, now } = await answeringPage();
  await act(async () => now().type(text('4')));
  await act(async () => void window.dispatchEvent(new Event(type)));
  expect(answer).toHaveBeenCalledOnce();
});

test('a page that is hidden stores what is typed', async () => {
  const { answer, now } = await answeringPage();
  await act(async () => now().type(text('4')));
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  expect(answer).toHaveBeenCalledOnce();
});

test('keys after the deadline or the finish are not noted, which would be restored as answers', async () => {
  const { noteTyped, now } = await answeringPage();
  await act(async () => now().type(text('4')));
  await act(async () => now().closeTyping());
  await act(async () => now().type(text('4,9')));
  expect(noteTyped.mock.calls.map(([, typed]) => typed)).toEqual([text('4')]);
  await act(async () => now().reopenTyping());
  await act(async () => now().type(text('4,95')));
  expect(noteTyped).toHaveBeenCalledTimes(2);
});

test('a failure to store an answer is explained even if nothing awaits it', async () => {
  const { answer, now } = await answeringPage();
  answer.mockRejectedValue(new OutboxRefusal('unknownAttempt'));
  await act(async () => now().type(text('4')));
  await act(() => vi.advanceTimersByTimeAsync(500));
  expect(now().problem).toMatch(/Откройте тест ещё раз/);
  await act(async () => expect(await now().commit()).toBe(false));
});

test('an unstored choice is replaced by the stored answer', async () => {
  const { answer, now } = await answeringPage();
  const before = question(choice('a'));
  answer.mockRejectedValueOnce(new Error('no device'));
  await act(async () => now().choose(choice('b')));
  expect(now().shown(before)).toEqual(before);
  expect(now().problem).toMatch(/Не удалось записать ответ/);
});

test('an unstored choice does not remove the answer of another question', async () => {
  const { answer, now } = await answeringPage();
  const other: Answer = { questionId: 'other', kind: 'variant', optionIds: ['x'] };
  await act(async () => now().choose(other));
  answer.mockRejectedValueOnce(new Error('no device'));
  await act(async () => now().choose(choice('b')));
  const shown = now().shown({ ...question(choice('a')), questionId: 'other' });
  expect(shown.answer).toEqual(other);
});

test('of two choices made at once the later one stays while both are stored', async () => {
  const { answer, now, see } = await answeringPage();
  const ends: (() => void)[] = [];
  answer.mockImplementation(
    (_, given) =>
      new Promise((resolve) => {
        const sequence = given.kind === 'variant' && given.optionIds[0] === 'a' ? 2 : 3;
        ends.push(() => resolve({ operationId: 'o', stream: 's', sequence, saved: true }));
      }),
  );
  await act(async () => now().choose(choice('a')));
  await act(async () => now().choose(choice('b')));
  await act(async () => ends[0]?.());
  await see({ head: 2 });
  expect(now().shown(question(choice('a'))).answer).toEqual(choice('b'));
});

test('text written to another question leaves a choice’s failure shown', async () => {
  const { answer, now } = await answeringPage();
  await act(async () => now().type({ ...text('4'), questionId: 'other' }));
  answer.mockRejectedValueOnce(new Error('no device'));
  await act(async () => now().choose(choice('b')));
  await act(async () => expect(await now().commit()).toBe(true));
  expect(now().problem).toMatch(/Не удалось записать ответ/);
});

test('a new reason replaces the previous one', async () => {
  const { answer, now } = await answeringPage();
  answer.mockRejectedValueOnce(new Error('no device'));
  await act(async () => now().type(text('4')));
  await act(async () => void (await now().commit()));
  answer.mockRejectedValueOnce(new OutboxRefusal('gone'));
  await act(async () => void (await now().commit()));
  expect(now().problem).toBe('Преподаватель удалил эту попытку.');
});

test('closed inputs show what is stored, not what was typed last', async () => {
  const { answer, now, see } = await answeringPage();
  answer.mockRejectedValue(new Error('no device'));
  await act(async () => now().type(text('4,9')));
  await see({ readOnly: 'takenOver' });
  expect(now().shown(question(text('4'))).answer).toEqual(text('4'));
});

test('at the deadline text that is being written is shown until it is stored', async () => {
  const { now, see } = await answeringPage();
  await act(async () => now().type(text('4,9')));
  await see({ readOnly: 'timeOver' });
  expect(now().shown(question(text('4'))).answer).toEqual(text('4,9'));
});

test('minutes added after the deadline open the inputs again', async () => {
  const { noteTyped, now, see } = await answeringPage();
  await act(async () => now().closeTyping());
  await see({ readOnly: 'timeOver' });
  await act(async () => now().type(text('4')));
  expect(noteTyped).not.toHaveBeenCalled();
  await see({ readOnly: null });
  await act(async () => now().type(text('4')));
  expect(noteTyped).toHaveBeenCalledOnce();
});

test('text that is typed as it is stored already is called saved', async () => {
  const { now } = await answeringPage();
  await act(async () => now().type(text('4')));
  expect(now().shown(question(text('4')))).toMatchObject({ stage: 'device', at: 1 });
});

test('a failed removal of files is reported', async () => {
  const { changeFiles, now } = await answeringPage();
  const change = () => [];
  changeFiles.mockRejectedValueOnce(new Error('no device'));
  await act(async () => now().changeFiles('q', change));
  expect(changeFiles).toHaveBeenCalledWith('a', 'q', change);
  expect(now().problem).toMatch(/Не удалось записать ответ/);
});

test('a page that was left stores what is typed once, and listens no longer', async () => {
  const { answer, now, leave } = await answeringPage();
  await act(async () => now().type(text('4')));
  await leave();
  expect(answer).toHaveBeenCalledOnce();
  answer.mockClear();
  await act(async () => now().type(text('4,9')));
  window.dispatchEvent(new Event('blur'));
  document.dispatchEvent(new Event('visibilitychange'));
  await act(async () => Promise.resolve());
  expect(answer).not.toHaveBeenCalled();
});
