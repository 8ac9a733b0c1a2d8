import type { Gap, Question } from '#contract/questions.ts';
import type { Kind, QuestionOf } from '#domain/kinds/rules.ts';
import { sharedFields } from '#domain/shared-fields.ts';

/** The shared fields that a provider writes. All other fields are the teacher's. */
const WRITTEN = ['kind', 'text', 'points', 'explanation', 'difficulty', 'origin'];
const WRITTEN_OF_GAP = ['gapId', 'input', 'options', 'accepted', 'tolerance'];
const WRITTEN_OF_PART = ['optionId', 'text', 'isRight', 'share'];

const withoutWritten = <T extends object>(value: T, written: readonly string[]): Partial<T> =>
  Object.fromEntries(
    Object.entries(value).filter(([name, part]) => !written.includes(name) && part !== undefined),
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

interface Revision<K extends Kind> {
  /** The fields of the kind that a provider writes. */
  readonly written: readonly (keyof QuestionOf<K> & string)[];
  /** Unchanged parts retain the teacher's fields. Absent: parts have none. */
  withOldParts?(old: QuestionOf<K>, fresh: QuestionOf<K>): QuestionOf<K>;
}

const REVISIONS: { readonly [K in Kind]?: Revision<K> } = {
  open: {
    written: ['input', 'accepted', 'tolerance'],
    withOldParts: (old, fresh) => ({
      ...fresh,
      accepted: withOldParts(old.accepted, fresh.accepted),
    }),
  },
  variant: {
    written: ['multiple', 'options'],
    withOldParts: (old, fresh) => ({ ...fresh, options: withOldParts(old.options, fresh.options) }),
  },
  compliance: { written: ['left', 'right', 'pairs'] },
  ordering: { written: ['items'] },
  gaps: {
    written: ['gaps'],
    withOldParts: (old, fresh) => ({ ...fresh, gaps: withOldGaps(old.gaps, fresh.gaps) }),
  },
};
const revisionOf = <K extends Kind>({ kind }: { readonly kind: K }): Revision<K> | undefined =>
  REVISIONS[kind];

/** Gives the new question the old one's id and all fields that the provider does not write. */
export function replaceDraft(old: Question, fresh: Question): Question {
  const isSame = old.kind === fresh.kind;
  const revision = isSame ? revisionOf(fresh) : undefined;
  const whole = revision?.withOldParts?.(old, fresh) ?? fresh;
  const teachers = isSame ? old : sharedFields(old);
  return { ...whole, ...withoutWritten(teachers, [...WRITTEN, ...(revision?.written ?? [])]) };
}
