import type { Answer } from '#contract/answers.ts';
import type { AttemptView, StoredOperation } from '#app/outbox/types.ts';

/** An answer given on this page; `stored` is null until the device has written it. */
interface GivenAnswer {
  readonly answer: Answer;
  readonly stored: StoredOperation | null;
}

/** The part of a view that tells which operations it contains. */
type Position = Pick<AttemptView, 'stream' | 'head'>;

/** A view that was read before an answer was written may arrive after it, and must not replace it. */
const isIn = ({ stored }: GivenAnswer, view: Position): boolean =>
  stored !== null && (stored.stream !== view.stream || stored.sequence <= view.head);

/**
 * The answers given on this page, each shown until the outbox's view contains it. Outside React's state, so that a tap
 * renders the question alone.
 */
export interface GivenAnswers {
  /** Null: none, or the view contains it. */
  get(questionId: string, view: Position): Answer | null;
  put(answer: Answer, stored: StoredOperation | null): void;
  /** Has no effect on a later answer to the same question. */
  markStored(answer: Answer, stored: StoredOperation): void;
  remove(questionId: string): void;
  /** Forgets the answers that the view contains. */
  forget(view: Position): void;
  /** Notifies of a change outside this store: a typed answer. */
  notify(): void;
  readonly subscribe: (changed: () => void) => () => void;
  /** Differs after every change. */
  readonly version: () => number;
}

export function createGivenAnswers(): GivenAnswers {
  const given = new Map<string, GivenAnswer>();
  const listeners = new Set<() => void>();
  let version = 0;
  const notify = () => {
    version += 1;
    for (const changed of listeners) changed();
  };
  const set = (answer: Answer, stored: StoredOperation | null) => {
    given.set(answer.questionId, { answer, stored });
    notify();
  };
  return {
    get(questionId, view) {
      const one = given.get(questionId);
      return one && !isIn(one, view) ? one.answer : null;
    },
    put: set,
    markStored(answer, stored) {
      if (given.get(answer.questionId)?.answer === answer) set(answer, stored);
    },
    remove(questionId) {
      if (given.delete(questionId)) notify();
    },
    forget(view) {
      for (const [questionId, one] of given) if (isIn(one, view)) given.delete(questionId);
    },
    notify,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    version: () => version,
  };
}
