import type { Question } from '#contract/questions.ts';
import { formKindOf, type FormKind } from '#domain/change-kind.ts';
import { questionProblems } from '#domain/publishing.ts';
import { questionLabel, spokenQuestionLabel } from '#domain/question-label.ts';
import { byPlace } from '#domain/variants.ts';

/** One question of the list as primitive values, for cheap comparison. */
export interface Row {
  readonly id: string;
  readonly kind: FormKind;
  readonly label: string;
  /** The same read aloud. */
  readonly spoken: string;
  readonly points: number;
  /** The first problem, with «ещё 1» if there are more; null: none. */
  readonly problem: string | null;
}

/** A place in the test: one question, or alternatives of which each attempt gets one. */
export interface QuestionPlace {
  readonly id: string;
  /** Number from 1. */
  readonly number: number;
  readonly rows: readonly [Row, ...Row[]];
}

const problems = new WeakMap<Question, readonly string[]>();

/** Memoised per question object. */
export function knownProblems(question: Question): readonly string[] {
  const known = problems.get(question) ?? questionProblems(question);
  problems.set(question, known);
  return known;
}

const rows = new WeakMap<Question, Row>();

function rowOf(question: Question): Row {
  const known = rows.get(question);
  if (known) return known;
  const [first, ...more] = knownProblems(question);
  const row: Row = {
    id: question.questionId,
    kind: formKindOf(question),
    label: questionLabel(question),
    spoken: spokenQuestionLabel(question),
    points: question.points,
    problem:
      first === undefined ? null : more.length === 0 ? first : `${first}, ещё ${more.length}`,
  };
  rows.set(question, row);
  return row;
}

/** The rows of a test by place; a new question shows no problem. */
export function placesOf(
  questions: readonly Question[],
  newId: string | null = null,
): QuestionPlace[] {
  return [...byPlace(questions).entries()].flatMap(([id, alternatives], index) => {
    const [first, ...others] = alternatives.map((question) =>
      question.questionId === newId ? { ...rowOf(question), problem: null } : rowOf(question),
    );
    return first ? [{ id, number: index + 1, rows: [first, ...others] as const }] : [];
  });
}
