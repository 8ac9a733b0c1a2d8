import type { Question } from '#contract/questions.ts';
import { FORM_RULES } from './kinds/form-kinds.ts';
import type { FormRules, Kind, KindFields, RightAnswer } from './kinds/rules.ts';
import { newQuestion } from './new-question.ts';
import { ownFields, sharedFields } from './shared-fields.ts';

/** A kind that a teacher can choose. A kind on the wire may contain several of them. */
export type FormKind = { [K in Kind]: keyof (typeof FORM_RULES)[K]['labels'] }[Kind];

type Rules<K extends Kind> = Omit<FormRules<K, FormKind>, 'labels'>;
const RULES: { readonly [K in Kind]: Rules<K> } = FORM_RULES;
const rulesOf = <K extends Kind>({ kind }: { readonly kind: K }): Rules<K> => RULES[kind];

const KINDS = Object.keys(RULES) as Kind[];
const formsOf = (kind: Kind) => Object.keys(FORM_RULES[kind].labels) as FormKind[];

/** In the order of menus. */
export const FORM_KINDS: readonly FormKind[] = KINDS.flatMap(formsOf);

/** The kind on the wire that contains each of the teacher's kinds. */
export const WIRE_KINDS = Object.fromEntries(
  KINDS.flatMap((kind) => formsOf(kind).map((form) => [form, kind])),
) as Readonly<Record<FormKind, Kind>>;

/** The teacher's kind of a question. */
export const formKindOf = (question: KindFields): FormKind => rulesOf(question).formOf(question);

/** The question in its other kinds, by the name of their parts, for changing back. */
export type OtherKinds = Readonly<Partial<Record<string, Question>>>;

export interface ChangedKind {
  readonly question: Question;
  readonly others: OtherKinds;
  /** The parts that the new kind cannot contain and `others` retains, by name; null: none. */
  readonly setAside: string | null;
}

/** Forms with the same parts have one entry among the other kinds. */
const partsOf = (form: FormKind): string => {
  const kind = WIRE_KINDS[form];
  return RULES[kind].switchForm ? kind : form;
};

const inForm = (question: Question, to: FormKind): Question =>
  rulesOf(question).switchForm?.(question, to) ?? question;

function rightAnswersOf(question: Question): RightAnswer[] {
  const answers = rulesOf(question).rightAnswers?.(question) ?? [];
  return answers.map(({ text, feedback }) => ({
    text,
    ...(feedback === undefined ? {} : { feedback }),
  }));
}

/**
 * Converts a question to another kind. Text, points and common fields stay. Right answers are converted if the new kind
 * can have them. A kind that the question had before is restored.
 */
export function changeKind(
  question: Question,
  to: FormKind,
  others: OtherKinds,
  newId: () => string,
): ChangedKind {
  const from = partsOf(formKindOf(question));
  const kind = WIRE_KINDS[to];
  const rules = rulesOf({ kind });
  if (from === partsOf(to)) return { question: inForm(question, to), others, setAside: null };
  const hasAnswers = kind !== question.kind && (rules.takesAnswers?.(to) ?? false);
  const create = () => {
    const fresh: Question = newQuestion(kind, newId);
    return rules.create?.(fresh, to, hasAnswers ? rightAnswersOf(question) : [], newId) ?? fresh;
  };
  const parts = others[partsOf(to)] ?? create();
  // The present shared fields replace those of the stored kind, also where they are absent now.
  const changed = { ...ownFields(parts), ...sharedFields(question) } as Question;
  return {
    question: inForm(changed, to),
    others: { ...others, [from]: question },
    setAside: rulesOf(question).setAside(question, hasAnswers),
  };
}
