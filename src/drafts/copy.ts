import type { Question } from '#contract/questions.ts';
import type { StoredDraft } from '#app/storage/draft-store.ts';
import { mergeQuestions, nextStart, type SentCopy } from './merge.ts';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { byId, idsOf, sameList, sameQuestion } from './same.ts';

type Questions = readonly Question[];

/**
 * A working copy on this device beside the server's version. A question is in conflict when the start of its
 * next merge differs from the server's version: both sides have changed it since `start`.
 */
export interface WorkingCopy {
  /** The server's version at the last fetch. */
  readonly server: { readonly draftVersion: number; readonly questions: Questions };
  readonly start: Questions;
  /** The questions shown in the editor. */
  readonly mine: Questions;
  /** Save requests that may have been stored. */
  readonly sent: readonly SentCopy[];
}

/** Remembered save requests with an unknown outcome. */
const MAX_SENT = 4;

export const freshCopy = (draftVersion: number, questions: Questions): WorkingCopy => ({
  server: { draftVersion, questions },
  start: questions,
  mine: questions,
  sent: [],
});

/** Ids of the questions in conflict. */
export function openConflicts({ server, start, mine }: WorkingCopy): string[] {
  const [was, there, here] = [byId(start), byId(server.questions), byId(mine)];
  return [...new Set([...was.keys(), ...there.keys()])].filter(
    (id) => !sameQuestion(was.get(id), there.get(id)) && !sameQuestion(here.get(id), there.get(id)),
  );
}

/** Picks questions from both sides by id, in the local order; server-only ones stay at their position. */
function combineSides(
  { server, mine }: WorkingCopy,
  pick: (
    here: Question | undefined,
    there: Question | undefined,
    id: string,
  ) => Question | undefined,
): Questions {
  const [here, there] = [byId(mine), byId(server.questions)];
  const picked = new Map<string, Question>();
  for (const id of new Set([...here.keys(), ...there.keys()])) {
    const question = pick(here.get(id), there.get(id), id);
    if (question) picked.set(id, question);
  }
  const stood = idsOf(server.questions);
  const order = mergeOrder(stood, idsOf(mine), stood, new Set(picked.keys()));
  return withVariantsTogether(order.flatMap((id) => picked.get(id) ?? []));
}

/** The content to save: local questions, but for open conflicts the server's side. */
function outgoing(copy: WorkingCopy): Questions {
  const conflicts = new Set(openConflicts(copy));
  if (conflicts.size === 0) return copy.mine;
  return combineSides(copy, (here, there, id) => (conflicts.has(id) ? there : here));
}

/** Whether there are unsent edits. */
export const isDirty = (copy: WorkingCopy): boolean =>
  !sameList(outgoing(copy), copy.server.questions);

/** Whether the device has something the server lacks: edits or an unresolved conflict. */
export const isLocal = (copy: WorkingCopy): boolean =>
  isDirty(copy) || openConflicts(copy).length > 0;

/** Body of the next save: the order and the changed questions. */
export function sendingOf(copy: WorkingCopy): SentCopy {
  const there = byId(copy.server.questions);
  const questions = outgoing(copy);
  return {
    order: idsOf(questions),
    changed: questions.filter(
      (question) => !sameQuestion(question, there.get(question.questionId)),
    ),
  };
}

export const withSent = (copy: WorkingCopy, sending: SentCopy): WorkingCopy => ({
  ...copy,
  sent: [...copy.sent.slice(1 - MAX_SENT), sending],
});

/** Applies a successful save; edits made since stay. */
export function stored(copy: WorkingCopy, sending: SentCopy, draftVersion: number): WorkingCopy {
  const known = byId([...copy.server.questions, ...sending.changed]);
  const questions = sending.order.flatMap((id) => known.get(id) ?? []);
  const conflicts = openConflicts(copy);
  const server = { draftVersion, questions };
  return { ...copy, server, start: nextStart(copy.start, questions, conflicts), sent: [] };
}

/** Merges the server's current version. `arrived`: questions adopted from the server. */
export function takeServer(
  copy: WorkingCopy,
  draftVersion: number,
  theirs: Questions,
): { copy: WorkingCopy; arrived: readonly string[] } {
  const merged = mergeQuestions(copy.start, copy.mine, theirs, copy.sent);
  const next: WorkingCopy = {
    server: { draftVersion, questions: theirs },
    start: nextStart(copy.start, theirs, merged.conflicts),
    mine: merged.questions,
    // A pending save may still arrive until the server stores a newer one.
    sent: copy.sent,
  };
  return { copy: isDirty(next) ? next : { ...next, sent: [] }, arrived: merged.arrived };
}

/**
 * Restores the draft of another tab over a copy. Questions that the server has changed since become conflicts. If this
 * tab changed the question too, the other version is added as a new question.
 */
export function restoreDraft(
  copy: WorkingCopy,
  restored: StoredDraft,
  newId: () => string,
): WorkingCopy {
  const server = copy.server.questions;
  const { questions, conflicts } = mergeQuestions(
    restored.base.questions,
    restored.mine,
    server,
    restored.sent,
  );
  const both = mergeQuestions(server, copy.mine, questions);
  const clashing = new Set(both.conflicts);
  const other = byId(questions);
  const mine = both.questions.flatMap((question) => {
    const second = other.get(question.questionId);
    return clashing.has(question.questionId) && second
      ? [question, { ...second, questionId: newId() }]
      : [question];
  });
  const shown = new Set(idsOf(mine));
  for (const id of clashing) {
    const second = other.get(id);
    // Deleted here, changed there.
    if (second && !shown.has(id)) mine.push(second);
  }
  const own = new Set(openConflicts(copy));
  const restoredConflicts = conflicts.filter((id) => !own.has(id) && !clashing.has(id));
  const before = [
    ...copy.start.filter(({ questionId }) => own.has(questionId)),
    ...restored.base.questions.filter(({ questionId }) => restoredConflicts.includes(questionId)),
  ];
  return {
    server: copy.server,
    start: nextStart(before, server, [...own, ...restoredConflicts]),
    mine: withVariantsTogether(mine),
    sent: [...copy.sent, ...restored.sent].slice(-MAX_SENT),
  };
}

/** Applies a local edit. A conflict ends when both sides become equal. */
export function keepLocalChange(copy: WorkingCopy, mine: Questions): WorkingCopy {
  const next = { ...copy, mine: withVariantsTogether(mine) };
  const { start, server } = next;
  return { ...next, start: nextStart(start, server.questions, openConflicts(next)) };
}

/** Resolves a conflict. `both` restores the other side if one side was deleted. */
export function resolved(
  copy: WorkingCopy,
  questionId: string,
  choice: 'mine' | 'theirs' | 'both',
  newId: () => string,
): WorkingCopy {
  const conflicts = openConflicts(copy);
  if (!conflicts.includes(questionId)) return copy;
  const there = copy.server.questions.find((each) => each.questionId === questionId);
  const here = copy.mine.find((each) => each.questionId === questionId);
  const rest = conflicts.filter((id) => id !== questionId);
  const start = nextStart(copy.start, copy.server.questions, rest);
  if (choice === 'mine' || (choice === 'both' && !there)) return { ...copy, start };
  const theirs = combineSides(copy, (own, stands, id) => (id === questionId ? stands : own));
  if (choice === 'theirs' || !here) return { ...copy, start, mine: theirs };
  const second = { ...here, questionId: newId() };
  const both = theirs.flatMap((each) => (each.questionId === questionId ? [each, second] : [each]));
  return { ...copy, start, mine: withVariantsTogether(both) };
}
