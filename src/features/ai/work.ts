import * as v from 'valibot';
import { Question, type Gap } from '#contract/questions.ts';
import { sharedFields } from '#domain/shared-fields.ts';
import { AskForm, EMPTY_FORM } from './ask-form.ts';

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

/** The fields of a question, its gaps and their parts that a provider writes. All other fields are the teacher's. */
const WRITTEN: ReadonlySet<string> = new Set(
  'kind text points explanation difficulty origin multiple options input accepted tolerance left right pairs items gaps'.split(
    ' ',
  ),
);
const WRITTEN_OF_GAP: ReadonlySet<string> = new Set(
  'gapId input options accepted tolerance'.split(' '),
);
const WRITTEN_OF_PART: ReadonlySet<string> = new Set('optionId text isRight share'.split(' '));

const withoutWritten = <T extends object>(value: T, written: ReadonlySet<string>): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([name, part]) => !written.has(name) && part !== undefined),
  ) as Partial<T>;

/** An option or answer with the same text retains the fields that the provider does not write, such as its feedback. */
const withOldParts = <P extends { readonly text: string; readonly feedback?: string | undefined }>(
  old: readonly P[],
  fresh: readonly P[],
): P[] =>
  fresh.map((part) => {
    const same = old.find(({ text }) => text === part.text);
    if (!same) return part;
    const { feedback = same.feedback } = part;
    const teachers = withoutWritten(same, WRITTEN_OF_PART);
    return { ...part, ...teachers, ...(feedback === undefined ? {} : { feedback }) };
  });

/**
 * Gaps are matched by number. If their number is unchanged, each retains the fields that the provider does not write.
 */
function withOldGaps(old: readonly Gap[], fresh: readonly Gap[]): Gap[] {
  const before = [...old].sort((a, b) => Number(a.gapId) - Number(b.gapId));
  return fresh.map((gap, index): Gap => {
    const same = before.length === fresh.length ? before[index] : undefined;
    if (!same) return gap;
    const whole = { ...gap, ...withoutWritten(same, WRITTEN_OF_GAP) } as Gap;
    if (whole.input === 'choice' && same.input === 'choice')
      return { ...whole, options: withOldParts(same.options, whole.options) };
    if (whole.input !== 'choice' && same.input !== 'choice')
      return { ...whole, accepted: withOldParts(same.accepted, whole.accepted) };
    return whole;
  });
}

function withPartsOf(old: Question, fresh: Question): Question {
  if (old.kind === 'variant' && fresh.kind === 'variant')
    return { ...fresh, options: withOldParts(old.options, fresh.options) };
  if (old.kind === 'open' && fresh.kind === 'open')
    return { ...fresh, accepted: withOldParts(old.accepted, fresh.accepted) };
  if (old.kind === 'gaps' && fresh.kind === 'gaps')
    return { ...fresh, gaps: withOldGaps(old.gaps, fresh.gaps) };
  return fresh;
}

/** Gives the new question the old one's id and all fields that the provider does not write. */
export function replaceDraft(old: Question, fresh: Question): Question {
  const teachers = old.kind === fresh.kind ? old : sharedFields(old);
  return { ...withPartsOf(old, fresh), ...withoutWritten(teachers, WRITTEN) };
}

/** The drafts that a reload restores: neither accepted nor refused. */
export const undecided = (drafts: PendingDrafts, inTest: ReadonlySet<string>): PendingDrafts => ({
  ...drafts,
  pending: drafts.pending.filter((draft) => !draft.isRefused && !inTest.has(idOf(draft))),
});
