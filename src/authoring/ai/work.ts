import type { Question } from '#contract/questions.ts';

/** A draft that waits for the teacher. Accepted ones are those that stand in the test. */
export interface PendingDraft {
  readonly question: Question;
  readonly isRefused: boolean;
  /** As it was before it was asked for anew; null: it is the first. */
  readonly before: Question | null;
}

/** What was written and is no question. */
export interface RejectedDraft {
  readonly reason: string;
  readonly raw: string;
}

export interface Drafts {
  readonly pending: readonly PendingDraft[];
  readonly rejected: readonly RejectedDraft[];
  /** Questions that a piece of writing still owes after it was cut short. */
  readonly missing: number;
}

export const NO_DRAFTS: Drafts = { pending: [], rejected: [], missing: 0 };

/** So many are kept; the oldest decided ones go first. */
export const PENDING_MOST = 100;
export const REJECTED_MOST = 30;

export const idOf = ({ question }: PendingDraft): string => question.questionId;

/** Adds a draft that came, at the end. */
export function withDraft(drafts: Drafts, question: Question): Drafts {
  const pending = [...drafts.pending, { question, isRefused: false, before: null }];
  if (pending.length > PENDING_MOST) {
    const refused = pending.findIndex(({ isRefused }) => isRefused);
    pending.splice(Math.max(0, refused), 1);
  }
  return { ...drafts, pending };
}

export const withRejected = (drafts: Drafts, rejected: RejectedDraft): Drafts => ({
  ...drafts,
  rejected: [...drafts.rejected, rejected].slice(-REJECTED_MOST),
});

/** Changes one draft; the others stay the same objects. */
export const changed = (
  drafts: Drafts,
  id: string,
  change: (draft: PendingDraft) => PendingDraft,
): Drafts => ({
  ...drafts,
  pending: drafts.pending.map((draft) => (idOf(draft) === id ? change(draft) : draft)),
});

/** A new version in the place of the old one, which can be taken back. */
export const revised = (drafts: Drafts, id: string, question: Question): Drafts =>
  changed(drafts, id, (draft) => ({
    ...draft,
    isRefused: false,
    before: draft.question,
    question: inPlaceOf(draft.question, question),
  }));

/** The new question as the old one: its id and what only the teacher gives. */
export function inPlaceOf(old: Question, fresh: Question): Question {
  const { questionId, title, tags, variantOf, topic } = old;
  return {
    ...fresh,
    questionId,
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags }),
    ...(variantOf === undefined ? {} : { variantOf }),
    ...(topic === undefined ? {} : { topic }),
  };
}

/** Without those that stand in the test and those that were refused: what a reload brings back. */
export const undecided = (drafts: Drafts, inTest: ReadonlySet<string>): Drafts => ({
  ...drafts,
  pending: drafts.pending.filter((draft) => !draft.isRefused && !inTest.has(idOf(draft))),
});
