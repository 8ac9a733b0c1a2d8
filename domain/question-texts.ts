import { FormattedText, PlainText, Question, StudentQuestion } from '#contract/questions.ts';
import { leavesOf, mapLeaves } from './schema-leaves.ts';

/** Changes every Markdown text of a question: its own, those of its parts, of the shared text, and of the feedback. */
export const mapTexts = (question: Question, change: (text: string) => string): Question =>
  mapLeaves(Question, question, new Map([[FormattedText, change]]));

/** All texts of a question, for the teacher: also typed answers, feedback and transcripts. */
export const textsOf = (question: Question): string[] =>
  leavesOf(Question, question, FormattedText, PlainText);

/** The texts that a student may read, with any transcripts: without key and feedback. */
export const studentTextsOf = (question: Question | StudentQuestion): string[] =>
  leavesOf(StudentQuestion, question, FormattedText, PlainText);
