import type { Question } from '#contract/questions.ts';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { byId, idsOf, sameQuestion } from './same.ts';

export interface MergeResult {
  /** The questions shown in the editor; `mine` for conflicts. */
  readonly questions: readonly Question[];
  /** Changed differently on both sides. */
  readonly conflicts: readonly string[];
  /** New or changed questions adopted from `theirs`. */
  readonly arrived: readonly string[];
}

/** Body of a save with an unknown outcome: the server may have stored it. */
export interface SentCopy {
  readonly order: readonly string[];
  readonly changed: readonly Question[];
}

/** The common ancestor. Own changes of a save with a lost reply count as part of it, not as foreign changes. */
function commonStart(
  base: readonly Question[],
  theirs: readonly Question[],
  sent: readonly SentCopy[],
): { questions: Map<string, Question>; order: string[] } {
  const questions = byId(base);
  const stored = byId(theirs);
  const storedOrder = idsOf(theirs).join();
  let order = idsOf(base);
  for (const sending of sent) {
    for (const question of sending.changed) {
      if (sameQuestion(stored.get(question.questionId), question)) {
        questions.set(question.questionId, question);
      }
    }
    const named = new Set(sending.order);
    for (const id of questions.keys()) {
      if (!named.has(id) && !stored.has(id)) questions.delete(id);
    }
    if (sending.order.join() === storedOrder) order = [...sending.order];
  }
  return { questions, order };
}

/**
 * Three-way merge of two lists of questions with the ancestor `base`. If only one side changed, added or deleted a
 * question, that side is used. Pure and deterministic.
 */
export function mergeQuestions(
  base: readonly Question[],
  mine: readonly Question[],
  theirs: readonly Question[],
  sent: readonly SentCopy[] = [],
): MergeResult {
  const start = commonStart(base, theirs, sent);
  const own = byId(mine);
  const other = byId(theirs);
  const result = new Map<string, Question>();
  const conflicts: string[] = [];
  const arrived: string[] = [];
  for (const id of new Set([...start.questions.keys(), ...own.keys(), ...other.keys()])) {
    const [was, here, there] = [start.questions.get(id), own.get(id), other.get(id)];
    const isMine = !sameQuestion(was, here);
    const isTheirs = !sameQuestion(was, there);
    const isConflict = isMine && isTheirs && !sameQuestion(here, there);
    if (isConflict) conflicts.push(id);
    const shown = isMine ? here : there;
    if (shown) result.set(id, shown);
    if (!isMine && isTheirs && there && !sameQuestion(here, there)) arrived.push(id);
  }
  const order = mergeOrder(start.order, idsOf(mine), idsOf(theirs), new Set(result.keys()));
  const questions = order.flatMap((id) => result.get(id) ?? []);
  return { questions: withVariantsTogether(questions), conflicts, arrived };
}

/** Ancestor of the next merge: for conflicts the old ancestor, else the server's version. */
export function nextStart(
  base: readonly Question[],
  theirs: readonly Question[],
  conflicts: readonly string[],
): readonly Question[] {
  if (conflicts.length === 0) return theirs;
  const before = byId(base);
  const open = new Set(conflicts);
  const stored = new Set(idsOf(theirs));
  return [
    ...theirs.flatMap((question) =>
      open.has(question.questionId) ? (before.get(question.questionId) ?? []) : question,
    ),
    // Deleted there and changed here.
    ...base.filter(({ questionId }) => open.has(questionId) && !stored.has(questionId)),
  ];
}
