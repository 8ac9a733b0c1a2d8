import type { Question, StudentQuestion } from '#contract/questions.ts';
import { seededRandom } from '#domain/seeded-random.ts';
import { type PartRank, studentQuestion } from '#domain/student-question.ts';

/** At each look alike; no attempt has this order, since theirs only the server knows. */
const rank: PartRank = (questionId, partId) => String(seededRandom(`${questionId}/${partId}`)());

/** A question as students will see it. A right column is mixed for them even where it is not shuffled. */
export const previewQuestion = (question: Question): StudentQuestion =>
  studentQuestion(question.kind === 'compliance' ? { ...question, shuffle: true } : question, rank);
