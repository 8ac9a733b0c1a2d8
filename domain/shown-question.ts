import type { Question, StudentQuestion } from '#contract/questions.ts';
import {
  type PartRank,
  sortedOptions,
  studentQuestion,
  withShownTranscripts,
} from './student-question.ts';

const inOrderOf = <T>(items: readonly T[], order: readonly string[], idOf: (item: T) => string) =>
  [...items].sort((a, b) => order.indexOf(idOf(a)) - order.indexOf(idOf(b)));

/**
 * Removes the fields for the teacher alone; explanation and feedback are shown with the key, a transcript where the
 * teacher shows it.
 */
function withoutAuthored(question: Question): Question {
  const visible = withShownTranscripts(question);
  delete visible.title;
  delete visible.topic;
  delete visible.difficulty;
  delete visible.tags;
  delete visible.variantOf;
  delete visible.origin;
  return visible;
}

/**
 * A question with its key and explanation, its parts in the order that the student of the attempt had; of an ordering
 * the order is the key.
 */
function keyedQuestion(question: Question, rank: PartRank): Question {
  const shown = studentQuestion(question, rank);
  if (question.kind === 'variant' && shown.kind === 'variant') {
    const order = shown.options.map(({ optionId }) => optionId);
    return {
      ...question,
      options: inOrderOf(question.options, order, ({ optionId }) => optionId),
    };
  }
  if (question.kind === 'compliance' && shown.kind === 'compliance') {
    const order = shown.right.map(({ rightId }) => rightId);
    return { ...question, right: inOrderOf(question.right, order, ({ rightId }) => rightId) };
  }
  if (question.kind === 'gaps') {
    const gaps = question.gaps.map((gap) =>
      gap.input === 'choice' ? { ...gap, options: sortedOptions(gap.options) } : gap,
    );
    return { ...question, gaps };
  }
  return question;
}

/** A question as a reader of one attempt gets it afterwards: with its key only where that may be seen. */
export function shownQuestion(
  question: Question,
  rank: PartRank,
  withKey: boolean,
): Question | StudentQuestion {
  return withKey ? keyedQuestion(withoutAuthored(question), rank) : studentQuestion(question, rank);
}
