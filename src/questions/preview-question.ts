import type { Question, StudentQuestion } from '#contract/questions.ts';
import { questionRules } from '#domain/kinds/question-kinds.ts';
import { seededRandom } from '#domain/seeded-random.ts';
import { type PartRank, studentQuestion } from '#domain/student-question.ts';

/** A fixed seed, so that every preview is the same; the order differs from that of any attempt. */
const rank: PartRank = (questionId, partId) => String(seededRandom(`${questionId}/${partId}`)());

/** A question as students see it. Parts that are typed in a meaningless order are always shuffled. */
export const previewQuestion = (question: Question): StudentQuestion =>
  studentQuestion(questionRules(question).shuffleParts?.(question) ?? question, rank);
