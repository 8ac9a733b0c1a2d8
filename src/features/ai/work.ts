import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { AskForm, EMPTY_FORM } from './ask-form.ts';
import { replaceDraft } from './replace-draft.ts';

/** Maximum number of drafts; the oldest decided ones are dropped first. */
export const MAX_PENDING = 100;
export const MAX_REJECTED = 30;

/** Accepted drafts are those in the test; `before` is the version before the regeneration. */
const PendingDraft = v.object({
  question: Question,
  isRefused: v.boolean(),
  before: v.nullable(Question),
});
export type PendingDraft = Readonly<v.InferOutput<typeof PendingDraft>>;

/** Output that is not a valid question. */
const RejectedDraft = v.object({ reason: v.string(), raw: v.string() });
export type RejectedDraft = Readonly<v.InferOutput<typeof RejectedDraft>>;

/** `missing`: how many questions an interrupted generation owes. */
const PendingDrafts = v.object({
  pending: v.pipe(v.array(PendingDraft), v.maxLength(MAX_PENDING), v.readonly()),
  rejected: v.pipe(v.array(RejectedDraft), v.maxLength(MAX_REJECTED), v.readonly()),
  missing: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type PendingDrafts = Readonly<v.InferOutput<typeof PendingDrafts>>;

export const NO_DRAFTS: PendingDrafts = { pending: [], rejected: [], missing: 0 };

/** Form and undecided drafts of one test, as the tab stores them; what is invalid counts as none. */
export const AiDraft = v.object({
  form: v.fallback(AskForm, EMPTY_FORM),
  drafts: v.fallback(PendingDrafts, NO_DRAFTS),
});
export type AiDraft = Readonly<v.InferOutput<typeof AiDraft>>;

export const idOf = ({ question }: PendingDraft): string => question.questionId;

/** Appends a received draft. */
export function withDraft(drafts: PendingDrafts, question: Question): PendingDrafts {
  const pending = [...drafts.pending, { question, isRefused: false, before: null }];
  if (pending.length > MAX_PENDING) {
    const refused = pending.findIndex(({ isRefused }) => isRefused);
    pending.splice(Math.max(0, refused), 1);
  }
  return { ...drafts, pending };
}

export const withRejected = (drafts: PendingDrafts, rejected: RejectedDraft): PendingDrafts => ({
  ...drafts,
  rejected: [...drafts.rejected, rejected].slice(-MAX_REJECTED),
});

/** Changes one draft; the others stay the same objects. */
export const changed = (
  drafts: PendingDrafts,
  id: string,
  change: (draft: PendingDraft) => PendingDraft,
): PendingDrafts => ({
  ...drafts,
  pending: drafts.pending.map((draft) => (idOf(draft) === id ? change(draft) : draft)),
});

/** Replaces a draft with a new version; can be undone. */
export const revised = (drafts: PendingDrafts, id: string, question: Question): PendingDrafts =>
  changed(drafts, id, (draft) => ({
    ...draft,
    isRefused: false,
    before: draft.question,
    question: replaceDraft(draft.question, question),
  }));

/** The drafts that a reload restores: neither accepted nor refused. */
export const undecided = (drafts: PendingDrafts, inTest: ReadonlySet<string>): PendingDrafts => ({
  ...drafts,
  pending: drafts.pending.filter((draft) => !draft.isRefused && !inTest.has(idOf(draft))),
});
