import type { Question } from '#contract/questions.ts';

/** A pending draft. Accepted ones are those in the test. */
export interface PendingDraft {
  readonly question: Question;
  readonly isRefused: boolean;
  /** The version before the regeneration; null: the first version. */
  readonly before: Question | null;
}

/** Output that is not a valid question. */
export interface RejectedDraft {
  readonly reason: string;
  readonly raw: string;
}

export interface Drafts {
  readonly pending: readonly PendingDraft[];
  readonly rejected: readonly RejectedDraft[];
  /** Questions missing from an interrupted generation. */
  readonly missing: number;
}

export const NO_DRAFTS: Drafts = { pending: [], rejected: [], missing: 0 };

/** Maximum number of drafts; the oldest decided ones are dropped first. */
export const PENDING_MOST = 100;
export const REJECTED_MOST = 30;

export const idOf = ({ question }: PendingDraft): string => question.questionId;

/** Appends a received draft. */
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

/** Replaces a draft with a new version; can be undone. */
export const revised = (drafts: Drafts, id: string, question: Question): Drafts =>
  changed(drafts, id, (draft) => ({
    ...draft,
    isRefused: false,
    before: draft.question,
    question: replaceDraft(draft.question, question),
  }));

/** Gives the new question the old one's id and teacher-only properties. */
export function replaceDraft(old: Question, fresh: Question): Question {
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

/** The drafts that a reload restores: neither accepted nor refused. */
export const undecided = (drafts: Drafts, inTest: ReadonlySet<string>): Drafts => ({
  ...drafts,
  pending: drafts.pending.filter((draft) => !draft.isRefused && !inTest.has(idOf(draft))),
});
