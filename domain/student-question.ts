import { StudentQuestion, type Question } from '#contract/questions.ts';
import { questionRules } from './kinds/question-kinds.ts';
import { pickNamed } from './schema-leaves.ts';

/**
 * The rank of a shuffled part of a question: parts are sorted by it. It is derived from a secret of the server: anybody
 * who can compute the order can reverse it.
 */
export type PartRank = (questionId: string, partId: string) => string;

interface Transcribed {
  readonly transcript?: string | undefined;
  readonly transcriptShown?: boolean | undefined;
}

/** The transcript of a question or a shared text for students: none unless the teacher shows it. */
const shownTranscript = ({ transcript, transcriptShown }: Transcribed) =>
  transcriptShown && transcript ? { transcript } : {};

/** A question for students, also with its key: without transcripts that they may not read. */
export function withShownTranscripts(question: Question): Question {
  const { transcript: _, transcriptShown: __, passage, ...rest } = question;
  const shared = passage && {
    passageId: passage.passageId,
    text: passage.text,
    ...shownTranscript(passage),
  };
  return { ...rest, ...shownTranscript(question), ...(shared && { passage: shared }) };
}

/** The parts of `shown` in the order of one attempt. They are moved with all their contents. */
export const arranged = (
  shown: StudentQuestion,
  question: Question,
  rank: PartRank,
): StudentQuestion =>
  questionRules(question).arrange(shown, question, (partId) => rank(question.questionId, partId));

/**
 * A question as sent to the student of one attempt: only the fields that the contract names for students, so that no
 * key can leak. The same rank gives the same order for the whole attempt.
 */
export const studentQuestion = (question: Question, rank: PartRank): StudentQuestion =>
  arranged(pickNamed(StudentQuestion, withShownTranscripts(question)), question, rank);
