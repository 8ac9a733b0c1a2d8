import type { Question } from '#contract/questions.ts';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { byId, idsOf, sameQuestion } from './same.ts';

type Questions = readonly Question[];

/** One undo step: only what it changed. */
interface Step {
  readonly label: string;
  readonly coalesce: string | null;
  /** Time of its last change, milliseconds. */
  readonly at: number;
  /** Changed questions before and after; undefined: absent. */
  readonly before: ReadonlyMap<string, Question | undefined>;
  readonly after: ReadonlyMap<string, Question | undefined>;
  readonly orderBefore: readonly string[];
  readonly orderAfter: readonly string[];
}

/** Undo and redo stacks; immutable. */
export interface EditHistory {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const NO_HISTORY: EditHistory = { done: [], undone: [] };

const MAX_STEPS = 200;
/** A pause in typing ends a step. */
const PAUSE_MS = 3_000;

function stepOf(
  before: Questions,
  after: Questions,
  { label, coalesce, at }: Pick<Step, 'label' | 'coalesce' | 'at'>,
): Step | null {
  const [old, fresh] = [byId(before), byId(after)];
  const touched = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (id) => !sameQuestion(old.get(id), fresh.get(id)),
  );
  const [orderBefore, orderAfter] = [idsOf(before), idsOf(after)];
  if (touched.length === 0 && orderBefore.join() === orderAfter.join()) return null;
  return {
    label,
    coalesce,
    at,
    before: new Map(touched.map((id) => [id, old.get(id)])),
    after: new Map(touched.map((id) => [id, fresh.get(id)])),
    orderBefore,
    orderAfter,
  };
}

/** Merges two consecutive steps. */
function joined(first: Step, second: Step): Step {
  return {
    ...second,
    before: new Map([...second.before, ...first.before]),
    after: new Map([...first.after, ...second.after]),
    orderBefore: first.orderBefore,
  };
}

/** Records a change; an empty one adds no step. `at` in milliseconds. */
export function remember(
  history: EditHistory,
  before: Questions,
  after: Questions,
  step: { label: string; coalesce?: string | undefined; at: number },
): EditHistory {
  const made = stepOf(before, after, { ...step, coalesce: step.coalesce ?? null });
  if (!made) return history;
  const last = history.done.at(-1);
  const goesOn =
    last !== undefined &&
    history.undone.length === 0 &&
    made.coalesce !== null &&
    last.coalesce === made.coalesce &&
    made.at - last.at <= PAUSE_MS;
  const done = goesOn
    ? [...history.done.slice(0, -1), joined(last, made)]
    : [...history.done, made];
  return { done: done.slice(-MAX_STEPS), undone: [] };
}

export interface HistoryStep {
  readonly history: EditHistory;
  readonly questions: Questions;
  /** Label of a skipped step: its questions were changed elsewhere meanwhile. */
  readonly skipped: string | null;
}

/** Applies one side of a step; null: its questions were changed elsewhere since. */
function turned(questions: Questions, from: 'before' | 'after', step: Step): Questions | null {
  const [old, fresh] = from === 'after' ? [step.after, step.before] : [step.before, step.after];
  const [orderOld, orderFresh] =
    from === 'after' ? [step.orderAfter, step.orderBefore] : [step.orderBefore, step.orderAfter];
  const now = byId(questions);
  for (const [id, question] of old) if (!sameQuestion(now.get(id), question)) return null;
  const next = new Map(now);
  for (const [id, question] of fresh) {
    if (question) next.set(id, question);
    else next.delete(id);
  }
  const order = mergeOrder(orderOld, orderFresh, idsOf(questions), new Set(next.keys()));
  return withVariantsTogether(order.flatMap((id) => next.get(id) ?? []));
}

/** Undoes the last step. Null: there is none. */
export function undoStep({ done, undone }: EditHistory, questions: Questions): HistoryStep | null {
  const step = done.at(-1);
  if (!step) return null;
  const next = turned(questions, 'after', step);
  const rest = done.slice(0, -1);
  if (!next) return { history: { done: rest, undone }, questions, skipped: step.label };
  return { history: { done: rest, undone: [...undone, step] }, questions: next, skipped: null };
}

/** Redoes the last undone step. Null: there is none. */
export function redoStep({ done, undone }: EditHistory, questions: Questions): HistoryStep | null {
  const step = undone.at(-1);
  if (!step) return null;
  const next = turned(questions, 'before', step);
  const rest = undone.slice(0, -1);
  if (!next) return { history: { done, undone: rest }, questions, skipped: step.label };
  return { history: { done: [...done, step], undone: rest }, questions: next, skipped: null };
}
