import type { Question } from '#contract/questions.ts';
import { formKindOf, type FormKind } from '#domain/change-kind.ts';
import { questionProblems } from '#domain/publishing.ts';
import { questionLabel } from '#domain/question-label.ts';
import { byPlace } from '#domain/variants.ts';

/** One question of the list, in words that stay equal while nothing of it changes. */
export interface Row {
  readonly id: string;
  readonly kind: FormKind;
  readonly label: string;
  readonly points: number;
  /** The first thing that is wrong, with «ещё 1» where there is more; null: nothing. */
  readonly problem: string | null;
}

/** A place in the test: one question, or alternatives of which each attempt gets one. */
export interface Place {
  readonly id: string;
  /** From 1, as students count. */
  readonly number: number;
  readonly rows: readonly [Row, ...Row[]];
}

const problems = new WeakMap<Question, readonly string[]>();

/** As the domain says, once for each state of a question. */
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
    points: question.points,
    problem:
      first === undefined ? null : more.length === 0 ? first : `${first}, ещё ${more.length}`,
  };
  rows.set(question, row);
  return row;
}

/** The list of a test, place by place. */
export function placesOf(questions: readonly Question[]): Place[] {
  return [...byPlace(questions).entries()].flatMap(([id, alternatives], index) => {
    const [first, ...others] = alternatives.map(rowOf);
    return first ? [{ id, number: index + 1, rows: [first, ...others] as const }] : [];
  });
}
