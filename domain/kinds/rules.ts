import type { Answer } from '#contract/answers.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import type { SharedField } from '#domain/shared-fields.ts';

export type Kind = Question['kind'];
export type QuestionOf<K extends Kind> = Extract<Question, { kind: K }>;
/** The fields specific to a kind, with the kind itself. */
export type OwnFields<K extends Kind> = { [L in K]: Omit<QuestionOf<L>, SharedField> }[K];
export type StudentQuestionOf<K extends Kind> = Extract<StudentQuestion, { kind: K }>;
export type AnswerOf<K extends Kind> = Extract<Answer, { kind: K }>;

/** The rules that the first question on a phone already needs: those of answers. */
export interface AnswerRules<K extends Kind> {
  /** Cleared text, options, pairs, orders, gaps and a removed file count as unanswered. */
  isAnswered(answer: AnswerOf<K>): boolean;
  /** Whether its ids are those of the question, each at most as often as allowed. */
  fits(answer: AnswerOf<K>, question: QuestionOf<K>): boolean;
  /** Whether students see that a person grades the answers. Absent: no. */
  isGradedByHand?(shown: StudentQuestionOf<K>): boolean;
}

/** A field of the question, such as `question.options`, and its problem. */
export interface KeyProblem {
  readonly field: string;
  readonly message: string;
}

/** The rules of one kind of question, and of marking its answers. */
export interface QuestionRules<K extends Kind> {
  /** The own fields of a new question, with empty first parts. */
  empty(newId: () => string): Omit<QuestionOf<K>, SharedField>;
  /**
   * The parts as sent to the student of one attempt.
   * @param rank shuffled parts are sorted by it
   */
  arrange(
    shown: StudentQuestionOf<K>,
    question: QuestionOf<K>,
    rank: (partId: string) => string,
  ): StudentQuestionOf<K>;
  /** Why it cannot be published, as texts that follow «Вопрос 7: »; empty: nothing. */
  problems(question: QuestionOf<K>): string[];
  /** Problems of a corrected key, as strict as publishing: otherwise the test could not be saved afterwards. */
  keyProblems(question: QuestionOf<K>): KeyProblem[];
  /** The question with the key of another version of it, which has the same parts. */
  withKeyOf(question: QuestionOf<K>, keyed: QuestionOf<K>): QuestionOf<K>;
  /** Whether only a person can grade answers to it. */
  isGradedByHand(question: QuestionOf<K>): boolean;
  /**
   * Shuffles the parts with a stored order that means nothing, even if students get them in this order. Absent: there
   * are no such parts.
   */
  shuffleParts?(question: QuestionOf<K>): QuestionOf<K>;
  /** Sorts the parts with a stored order that means nothing. Absent: there are no such parts. */
  sortParts?(question: QuestionOf<K>, rank: (partId: string) => string): QuestionOf<K>;
  /** Whether the stored order of its parts is the key. Absent: no. */
  readonly isOrderKey?: boolean;
  /** The question with the same parts in the stored order of another version. Absent: they stay. */
  orderLike?(question: QuestionOf<K>, other: QuestionOf<K>): QuestionOf<K>;
  /** The share of the points that an answer earns, from 0 to 1. */
  share(question: QuestionOf<K>, answer: AnswerOf<K>): number;
  /** Everything that the marks depend on; equal as JSON if the keys are equal. */
  key(question: QuestionOf<K>): unknown;
  /** An answer that is not empty, in a line; Markdown stays. Without the question only ids are shown. */
  answerText(answer: AnswerOf<K>, question: QuestionOf<K> | undefined): string;
  /** Whether answers consist of the question's parts, which are Markdown. Absent: no, they are shown unchanged. */
  readonly hasMarkdownAnswers?: boolean;
  /** The right answer, in a line; null: a person decides. */
  keyText(question: QuestionOf<K>): string | null;
}

/** The fields that distinguish the teacher's kinds; statistics have no whole question. */
export interface KindFields {
  readonly kind: Kind;
  readonly multiple?: boolean | undefined;
  readonly input?: QuestionOf<'open'>['input'] | undefined;
}

/** A right answer that a question of another kind can have, too. */
export interface RightAnswer {
  readonly text: string;
  readonly feedback?: string | undefined;
}

/** The kinds that a teacher can choose: the forms of a kind on the wire. */
export interface FormRules<K extends Kind, Form extends string> {
  /** The only names of the forms: every screen, list, file and help page uses them. */
  readonly labels: Readonly<Record<Form, string>>;
  formOf(question: KindFields): Form;
  /** The parts that another kind cannot contain, by name; null: none. `hasAnswers`: it gets the right answers. */
  setAside(question: QuestionOf<K>, hasAnswers: boolean): string | null;
  /** The right answers that a question of another kind can get from this one. Absent: none. */
  rightAnswers?(question: QuestionOf<K>): readonly RightAnswer[];
  /** Whether the form can use right answers of another kind. Absent: no form can. */
  takesAnswers?(form: Form): boolean;
  /** The new question in one of several forms, with the right answers of another kind. */
  create?(
    fresh: QuestionOf<K>,
    form: Form,
    answers: readonly RightAnswer[],
    newId: () => string,
  ): QuestionOf<K>;
  /** Changes the form of a question if all forms have the same parts. Absent: each form has parts of its own. */
  switchForm?(question: QuestionOf<K>, form: Form): QuestionOf<K>;
}
