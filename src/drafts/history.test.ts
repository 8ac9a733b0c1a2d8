import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '#contract/questions.ts';
import { NO_HISTORY, redoStep, remember, undoStep, type EditHistory } from './history.ts';
import { idsOf, sameList } from './same.ts';
import { listArbitrary, list, question } from './testing.ts';

const step = (
  history: EditHistory,
  before: readonly Question[],
  after: readonly Question[],
  of: { label?: string; coalesce?: string; at?: number } = {},
) => remember(history, before, after, { label: 'Шаг', at: 0, ...of });

const undone = (history: EditHistory, questions: readonly Question[]) => {
  const taken = undoStep(history, questions);
  if (!taken) throw new Error('nothing to undo');
  return taken;
};

test('a step can be undone and redone', () => {
  const [before, after] = [list(1, 2), [question(1, 'другое'), ...list(2)]];
  const back = undone(step(NO_HISTORY, before, after), after);
  expect(back.questions).toEqual(before);
  expect(redoStep(back.history, back.questions)?.questions).toEqual(after);
});

test('any steps can all be undone and redone', () => {
  fc.assert(
    fc.property(fc.array(listArbitrary, { minLength: 1, maxLength: 6 }), (states) => {
      let history = NO_HISTORY;
      states.forEach((state, index) => {
        if (index > 0) history = step(history, states[index - 1] ?? [], state);
      });
      let now = states.at(-1) ?? [];
      for (let taken = undoStep(history, now); taken; taken = undoStep(history, now)) {
        ({ history, questions: now } = { ...taken, questions: [...taken.questions] });
      }
      expect(sameList(now, states[0] ?? [])).toBe(true);
      for (let taken = redoStep(history, now); taken; taken = redoStep(history, now)) {
        ({ history, questions: now } = { ...taken, questions: [...taken.questions] });
      }
      expect(sameList(now, states.at(-1) ?? [])).toBe(true);
    }),
  );
});

describe('typing into one field', () => {
  const typed = ['п', 'пр', 'при'].map((text) => [question(1, text)]);
  const typing = (pauses: readonly number[]) =>
    typed.reduce<{ history: EditHistory; before: readonly Question[]; at: number }>(
      ({ history, before, at }, after, index) => {
        const next = at + (pauses[index] ?? 0);
        return {
          history: step(history, before, after, { coalesce: 'text', at: next }),
          before: after,
          at: next,
        };
      },
      { history: NO_HISTORY, before: list(1), at: 0 },
    ).history;

  test('is one step', () => {
    expect(undone(typing([0, 100, 100]), typed[2] ?? []).questions).toEqual(list(1));
  });

  test('is two steps with a pause between', () => {
    expect(undone(typing([0, 100, 10_000]), typed[2] ?? []).questions).toEqual(typed[1]);
  });
});

test('an empty change is no step, and a new step clears the redo history', () => {
  expect(step(NO_HISTORY, list(1), list(1))).toBe(NO_HISTORY);
  const back = undone(step(NO_HISTORY, list(1), list(1, 2)), list(1, 2));
  const next = step(back.history, list(1), list(1, 3));
  expect(next.undone).toEqual([]);
});

test('undo skips and names a step with questions changed elsewhere', () => {
  const [before, after] = [list(1, 2), [question(1, 'моё'), ...list(2)]];
  const history = step(NO_HISTORY, before, after, { label: 'Правка' });
  const theirs = [question(1, 'их'), ...list(2)];
  const taken = undone(history, theirs);
  expect(taken.questions).toBe(theirs);
  expect(taken.skipped).toBe('Правка');
  expect(undoStep(taken.history, theirs)).toBeNull();
});

test('undo of one question retains foreign changes of the others', () => {
  const history = step(NO_HISTORY, list(1, 2), list(2));
  const now = [question(2, 'их'), question(3)];
  const taken = undone(history, now);
  expect(idsOf(taken.questions)).toEqual(idsOf(list(1, 2, 3)));
  expect(taken.questions[1]?.text).toBe('их');
});

test('the order alone is a step too, and a change without an effect is none', () => {
  const moved = step(NO_HISTORY, list(1, 2), list(2, 1));
  expect(idsOf(undone(moved, list(2, 1)).questions)).toEqual(idsOf(list(1, 2)));
  expect(step(NO_HISTORY, list(1, 2), list(1, 2))).toBe(NO_HISTORY);
});

test('typing in one field within three seconds is one step, undone and redone whole', () => {
  const text = (value: string) => [question(1, value), ...list(2)];
  let history = step(NO_HISTORY, list(1, 2), [...text('а'), question(3)], {
    coalesce: 'text/1',
    at: 10_000,
  });
  history = step(history, [...text('а'), question(3)], [...text('аб'), question(3)], {
    coalesce: 'text/1',
    at: 13_000,
  });
  expect(history.done).toHaveLength(1);
  const back = undone(history, [...text('аб'), question(3)]);
  expect(sameList(back.questions, list(1, 2))).toBe(true);
  const again = redoStep(back.history, back.questions)?.questions ?? [];
  expect(sameList(again, [...text('аб'), question(3)])).toBe(true);
});

test.each([
  ['after a pause', { coalesce: 'text/1', at: 3_001 }],
  ['in another field', { coalesce: 'text/2', at: 1 }],
  ['by a button', { at: 1 }],
])('a change %s is a step of its own', (_, of) => {
  const text = (value: string) => [question(1, value)];
  const first = step(NO_HISTORY, list(1), text('а'), { coalesce: 'text/1', at: 0 });
  expect(step(first, text('а'), text('аб'), of).done).toHaveLength(2);
});

test('two buttons are two steps, and typing after an undo is a new one', () => {
  const text = (value: string) => [question(1, value)];
  let history = step(NO_HISTORY, list(1), text('а'));
  history = step(history, text('а'), text('аб'));
  expect(history.done).toHaveLength(2);
  let typed = step(NO_HISTORY, list(1), text('а'), { coalesce: 'text/1', at: 0 });
  typed = step(typed, text('а'), text('аб'), { coalesce: 'text/1', at: 4_000 });
  const back = undone(typed, text('аб'));
  const next = step(back.history, text('а'), text('в'), { coalesce: 'text/1', at: 100 });
  expect(next.done).toHaveLength(2);
  expect(next.undone).toEqual([]);
});

test('joined typing leaves earlier steps alone', () => {
  const text = (value: string) => [question(1, value)];
  let history = step(NO_HISTORY, list(1), text('а'), { label: 'Первый' });
  history = step(history, text('а'), text('б'), { label: 'Второй' });
  history = step(history, text('б'), text('в'), { coalesce: 'text/1' });
  history = step(history, text('в'), text('г'), { coalesce: 'text/1' });
  expect(history.done.map(({ label }) => label)).toEqual(['Первый', 'Второй', 'Шаг']);
});

test('stores two hundred steps', () => {
  let history = NO_HISTORY;
  for (let turn = 0; turn <= 200; turn += 1)
    history = step(history, [question(1, `${turn}`)], [question(1, `${turn + 1}`)], {
      label: `${turn}`,
    });
  expect(history.done).toHaveLength(200);
  expect(history.done[0]?.label).toBe('1');
});
