import type { Question, StudentQuestion } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';
import {
  arranged,
  type PartRank,
  studentQuestion,
  withShownTranscripts,
} from './student-question.ts';

/**
 * Removes the teacher's own fields. Explanation and feedback are shown with the key, a transcript if the teacher shows
 * it.
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
 * A question with its key and explanation, and its parts in the order that the student of the attempt had, unless their
 * order is the key.
 */
const keyedQuestion = (question: Question, rank: PartRank): Question =>
  questionRules(question).isOrderKey ? question : (arranged(question, question, rank) as Question);

/** A question as sent to a reader of one attempt afterwards: with its key only if the key may be seen. */
export function shownQuestion(
  question: Question,
  rank: PartRank,
  withKey: boolean,
): Question | StudentQuestion {
  return withKey ? keyedQuestion(withoutAuthored(question), rank) : studentQuestion(question, rank);
}
