import type { Question } from '#contract/questions.ts';
import { newQuestion } from './new-question.ts';
import { ownFields, sharedFields } from './shared-fields.ts';

/** Kinds that a teacher can choose; the wire has six, with `multiple` and `input` inside. */
export const FORM_KINDS = [
  'single',
  'several',
  'line',
  'essay',
  'matching',
  'ordering',
  'gaps',
  'file',
] as const;
export type FormKind = (typeof FORM_KINDS)[number];

type Kind = Question['kind'];
type Of<K extends Kind> = Extract<Question, { kind: K }>;

/** The fields that tell the kinds apart; statistics have no whole question. */
export interface KindFields {
  readonly kind: Kind;
  readonly multiple?: boolean | undefined;
  readonly input?: Of<'open'>['input'] | undefined;
}

/** Which of the teacher's kinds a question is. */
export function formKindOf(question: KindFields): FormKind {
  switch (question.kind) {
    case 'variant':
      return question.multiple ? 'several' : 'single';
    case 'open':
      return question.input === 'text' ? 'essay' : 'line';
    case 'compliance':
      return 'matching';
    case 'ordering':
      return 'ordering';
    case 'gaps':
      return 'gaps';
    case 'file':
      return 'file';
  }
}

/** One and several share their options, so they share one entry here. */
type Slot = 'options' | 'line' | 'essay' | 'pairs' | 'items' | 'gaps' | 'file';

const SLOTS: Readonly<Record<FormKind, Slot>> = {
  single: 'options',
  several: 'options',
  line: 'line',
  essay: 'essay',
  matching: 'pairs',
  ordering: 'items',
  gaps: 'gaps',
  file: 'file',
};

/** The question in its other kinds, for switching back. */
export type OtherKinds = Readonly<Partial<Record<Slot, Question>>>;

export interface ChangedKind {
  readonly question: Question;
  readonly others: OtherKinds;
  /** What the new kind cannot hold and `others` retains; null: nothing. */
  readonly setAside: 'options' | 'accepted' | 'pairs' | 'items' | 'gaps' | null;
}

const isFilled = (text: string) => text.trim() !== '';

const withFeedback = (feedback: string | undefined) => (feedback === undefined ? {} : { feedback });

/** Right options become accepted answers. */
function openOf(question: Question, input: 'line' | 'text', newId: () => string): Question {
  const fresh = newQuestion('open', newId);
  if (input === 'text') return { ...fresh, input, accepted: [] };
  if (question.kind !== 'variant') return fresh;
  const accepted = question.options
    .filter(({ isRight, text }) => isRight && isFilled(text))
    .map(({ text, feedback }) => ({ text, share: 1, ...withFeedback(feedback) }));
  return accepted.length === 0 ? fresh : { ...fresh, accepted };
}

/** Accepted answers become right options; empty wrong ones follow. */
function variantOf(question: Question, newId: () => string): Of<'variant'> {
  const fresh = newQuestion('variant', newId);
  if (question.kind !== 'open') return fresh;
  const right = question.accepted
    .filter(({ text, share }) => isFilled(text) && share > 0)
    .map(({ text, feedback }) => ({
      optionId: newId(),
      text,
      isRight: true,
      ...withFeedback(feedback),
    }));
  return { ...fresh, options: [...right, ...fresh.options.slice(Math.min(right.length, 3))] };
}

/** A question converted to a kind that it has not had before. */
function made(question: Question, slot: Slot, newId: () => string): Question {
  switch (slot) {
    case 'options':
      return variantOf(question, newId);
    case 'line':
      return openOf(question, 'line', newId);
    case 'essay':
      return openOf(question, 'text', newId);
    case 'pairs':
      return newQuestion('compliance', newId);
    case 'items':
      return newQuestion('ordering', newId);
    case 'gaps':
      return newQuestion('gaps', newId);
    case 'file':
      return newQuestion('file', newId);
  }
}

/** What of a question the other kind does not show. */
function leftBehind(question: Question, to: Slot): ChangedKind['setAside'] {
  switch (question.kind) {
    case 'variant': {
      const missed = question.options.filter(({ isRight }) => to !== 'line' || !isRight);
      return missed.some(({ text }) => isFilled(text)) ? 'options' : null;
    }
    case 'open':
      return to !== 'options' && question.accepted.some(({ text }) => isFilled(text))
        ? 'accepted'
        : null;
    case 'compliance':
      return [...question.left, ...question.right].some(({ text }) => isFilled(text))
        ? 'pairs'
        : null;
    case 'ordering':
      return question.items.some(({ text }) => isFilled(text)) ? 'items' : null;
    case 'gaps':
      return question.gaps.length > 0 ? 'gaps' : null;
    case 'file':
      return null;
  }
}

const asKind = (question: Question, to: FormKind): Question =>
  question.kind === 'variant' ? { ...question, multiple: to === 'several' } : question;

/**
 * Converts a question to another kind. Text, points and common fields stay; options and accepted answers become
 * each other; a kind that the question had before is restored.
 */
export function changeKind(
  question: Question,
  to: FormKind,
  others: OtherKinds,
  newId: () => string,
): ChangedKind {
  const from = SLOTS[formKindOf(question)];
  const slot = SLOTS[to];
  if (from === slot) return { question: asKind(question, to), others, setAside: null };
  const parts = others[slot] ?? made(question, slot, newId);
  // The present shared fields replace those of the stored kind, also where they are absent now.
  const changed = { ...ownFields(parts), ...sharedFields(question) } as Question;
  return {
    question: asKind(changed, to),
    others: { ...others, [from]: question },
    setAside: leftBehind(question, slot),
  };
}
