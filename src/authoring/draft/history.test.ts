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

test('undo skips a step whose questions were changed elsewhere, and names the step', () => {
  const [before, after] = [list(1, 2), [question(1, 'моё'), ...list(2)]];
  const history = step(NO_HISTORY, before, after, { label: 'Правка' });
  const theirs = [question(1, 'их'), ...list(2)];
  const taken = undone(history, theirs);
  expect(taken.questions).toBe(theirs);
  expect(taken.skipped).toBe('Правка');
  expect(undoStep(taken.history, theirs)).toBeNull();
});

test('undo of one question keeps foreign changes of other questions', () => {
  const history = step(NO_HISTORY, list(1, 2), list(2));
  const now = [question(2, 'их'), question(3)];
  const taken = undone(history, now);
  expect(idsOf(taken.questions)).toEqual(idsOf(list(1, 2, 3)));
  expect(taken.questions[1]?.text).toBe('их');
});
