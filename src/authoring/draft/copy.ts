import type { Question } from '#contract/questions.ts';
import type { KeptDraft } from '#app/storage/drafts.ts';
import { mergeQuestions, nextStart, type Sent } from './merge.ts';
import { mergeOrder, withVariantsTogether } from './order.ts';
import { byId, idsOf, sameList, sameQuestion } from './same.ts';

type Questions = readonly Question[];

/**
 * A working copy on this device beside what the server has. A question is in conflict when the start of
 * its next merge is not what the server has: both sides went on from `start`.
 */
export interface Copy {
  /** What the server had when it was asked last. */
  readonly server: { readonly draftVersion: number; readonly questions: Questions };
  readonly start: Questions;
  /** What the editor shows. */
  readonly mine: Questions;
  /** Sendings that may have been stored. */
  readonly sent: readonly Sent[];
}

/** Sendings whose outcome is unknown that are remembered. */
const SENT_MOST = 4;

export const freshCopy = (draftVersion: number, questions: Questions): Copy => ({
  server: { draftVersion, questions },
  start: questions,
  mine: questions,
  sent: [],
});

/** Ids of the questions in conflict. */
export function openConflicts({ server, start, mine }: Copy): string[] {
  const [was, there, here] = [byId(start), byId(server.questions), byId(mine)];
  return [...new Set([...was.keys(), ...there.keys()])].filter(
    (id) => !sameQuestion(was.get(id), there.get(id)) && !sameQuestion(here.get(id), there.get(id)),
  );
}

/** Questions picked from both sides by id, in my order, with what I do not have where the server has it. */
function laidOver(
  { server, mine }: Copy,
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

/** What the server shall have: mine, but of a conflict what it has, until somebody decides. */
function outgoing(copy: Copy): Questions {
  const conflicts = new Set(openConflicts(copy));
  if (conflicts.size === 0) return copy.mine;
  return laidOver(copy, (here, there, id) => (conflicts.has(id) ? there : here));
}

/** Whether something waits to be sent. */
export const isDirty = (copy: Copy): boolean => !sameList(outgoing(copy), copy.server.questions);

/** Something is here that the server does not have: edits, or a conflict that nobody decided. */
export const isOwn = (copy: Copy): boolean => isDirty(copy) || openConflicts(copy).length > 0;

/** The body of the next sending: the order, and whatever the server does not have so. */
export function sendingOf(copy: Copy): Sent {
  const there = byId(copy.server.questions);
  const questions = outgoing(copy);
  return {
    order: idsOf(questions),
    changed: questions.filter(
      (question) => !sameQuestion(question, there.get(question.questionId)),
    ),
  };
}

export const withSent = (copy: Copy, sending: Sent): Copy => ({
  ...copy,
  sent: [...copy.sent.slice(1 - SENT_MOST), sending],
});

/** The server has stored a sending, whatever was typed since. */
export function stored(copy: Copy, sending: Sent, draftVersion: number): Copy {
  const known = byId([...copy.server.questions, ...sending.changed]);
  const questions = sending.order.flatMap((id) => known.get(id) ?? []);
  const conflicts = openConflicts(copy);
  const server = { draftVersion, questions };
  return { ...copy, server, start: nextStart(copy.start, questions, conflicts), sent: [] };
}

/** Takes in what the server has by now. `arrived`: questions that are theirs now. */
export function takeServer(
  copy: Copy,
  draftVersion: number,
  theirs: Questions,
): { copy: Copy; arrived: readonly string[] } {
  const merged = mergeQuestions(copy.start, copy.mine, theirs, copy.sent);
  const next: Copy = {
    server: { draftVersion, questions: theirs },
    start: nextStart(copy.start, theirs, merged.conflicts),
    mine: merged.questions,
    // A sending may still be on its way: until the server stores a newer one, it may arrive.
    sent: copy.sent,
  };
  return { copy: isDirty(next) ? next : { ...next, sent: [] }, arrived: merged.arrived };
}

/**
 * Lays what another tab had kept over a copy. What the server has changed since becomes a conflict;
 * where this tab has changed the question too, the other one's comes as a question of its own.
 */
export function adoptKept(copy: Copy, kept: KeptDraft, newId: () => string): Copy {
  const server = copy.server.questions;
  const { questions, conflicts } = mergeQuestions(
    kept.base.questions,
    kept.mine,
    server,
    kept.sent,
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
  const taken = conflicts.filter((id) => !own.has(id) && !clashing.has(id));
  const before = [
    ...copy.start.filter(({ questionId }) => own.has(questionId)),
    ...kept.base.questions.filter(({ questionId }) => taken.includes(questionId)),
  ];
  return {
    server: copy.server,
    start: nextStart(before, server, [...own, ...taken]),
    mine: withVariantsTogether(mine),
    sent: [...copy.sent, ...kept.sent].slice(-SENT_MOST),
  };
}

/** The copy with other questions shown. A conflict ends where both sides came to say the same. */
export function withMine(copy: Copy, mine: Questions): Copy {
  const next = { ...copy, mine: withVariantsTogether(mine) };
  const { start, server } = next;
  return { ...next, start: nextStart(start, server.questions, openConflicts(next)) };
}

/** Decides a conflict; `both` with one side deleted keeps the other. */
export function resolved(
  copy: Copy,
  questionId: string,
  choice: 'mine' | 'theirs' | 'both',
  newId: () => string,
): Copy {
  const conflicts = openConflicts(copy);
  if (!conflicts.includes(questionId)) return copy;
  const there = copy.server.questions.find((each) => each.questionId === questionId);
  const here = copy.mine.find((each) => each.questionId === questionId);
  const rest = conflicts.filter((id) => id !== questionId);
  const start = nextStart(copy.start, copy.server.questions, rest);
  if (choice === 'mine' || (choice === 'both' && !there)) return { ...copy, start };
  const theirs = laidOver(copy, (own, stands, id) => (id === questionId ? stands : own));
  if (choice === 'theirs' || !here) return { ...copy, start, mine: theirs };
  const second = { ...here, questionId: newId() };
  const both = theirs.flatMap((each) => (each.questionId === questionId ? [each, second] : [each]));
  return { ...copy, start, mine: withVariantsTogether(both) };
}
