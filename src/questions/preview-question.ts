import type { Question, StudentQuestion } from '#contract/questions.ts';
import { seededRandom } from '#domain/seeded-random.ts';
import { type PartRank, studentQuestion } from '#domain/student-question.ts';

/** A fixed seed, so that every preview is the same; the order differs from that of any attempt. */
const rank: PartRank = (questionId, partId) => String(seededRandom(`${questionId}/${partId}`)());

/** A question as students see it. The right column is always shuffled. */
export const previewQuestion = (question: Question): StudentQuestion =>
  studentQuestion(question.kind === 'compliance' ? { ...question, shuffle: true } : question, rank);
