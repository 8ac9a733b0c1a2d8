import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { AskForm, EMPTY_FORM } from './ask-form.ts';

/** Maximum number of drafts; the oldest decided ones are dropped first. */
export const PENDING_MOST = 100;
export const REJECTED_MOST = 30;

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
  pending: v.pipe(v.array(PendingDraft), v.maxLength(PENDING_MOST), v.readonly()),
  rejected: v.pipe(v.array(RejectedDraft), v.maxLength(REJECTED_MOST), v.readonly()),
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
  if (pending.length > PENDING_MOST) {
    const refused = pending.findIndex(({ isRefused }) => isRefused);
    pending.splice(Math.max(0, refused), 1);
  }
  return { ...drafts, pending };
}

export const withRejected = (drafts: PendingDrafts, rejected: RejectedDraft): PendingDrafts => ({
  ...drafts,
  rejected: [...drafts.rejected, rejected].slice(-REJECTED_MOST),
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

/** Of a rewritten question: an option of the same text stays where it was on the picture. */
function withAreasOf(old: Question, fresh: Question): Question {
  if (old.kind !== 'variant' || fresh.kind !== 'variant') return fresh;
  const options = fresh.options.map((option) => {
    const area = old.options.find(({ text }) => text === option.text)?.area;
    return area ? { ...option, area } : option;
  });
  return { ...fresh, options };
}

/** Gives the new question the old one's id and teacher-only properties. */
export function replaceDraft(old: Question, fresh: Question): Question {
  const { questionId, title, tags, variantOf, topic, passage } = old;
  return {
    ...withAreasOf(old, fresh),
    questionId,
    ...(title === undefined ? {} : { title }),
    ...(tags === undefined ? {} : { tags }),
    ...(variantOf === undefined ? {} : { variantOf }),
    ...(topic === undefined ? {} : { topic }),
    ...(passage === undefined ? {} : { passage }),
  };
}

/** The drafts that a reload restores: neither accepted nor refused. */
export const undecided = (drafts: PendingDrafts, inTest: ReadonlySet<string>): PendingDrafts => ({
  ...drafts,
  pending: drafts.pending.filter((draft) => !draft.isRefused && !inTest.has(idOf(draft))),
});
