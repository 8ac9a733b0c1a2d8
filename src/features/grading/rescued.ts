import * as v from 'valibot';
import { RESCUED_AT_ONCE, RescueFile, type RescuedAnswer } from '#contract/rescue.ts';

type FileAttempt = RescueFile['attempts'][number];

/** The part of a file of answers that belongs to a test. */
export interface Rescued {
  owner: string;
  attempts: { attemptId: string; answers: RescuedAnswer[]; files: FileAttempt['files'] }[];
  /** Number of answers to this test. */
  count: number;
  /** Number of answers to other tests in the same file. */
  elsewhere: number;
  /** Names of files whose bytes the device has lost. */
  lost: string[];
}

/** The file is not a file of answers; the message is for the teacher. */
export class RescueProblem extends Error {}

const answersOf = ({ operations }: FileAttempt): RescuedAnswer[] =>
  operations.flatMap((one) => ('operationId' in one ? [one] : []));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the file that «Сохранить ответы в файл» makes.
 * @throws {RescueProblem} with a message for the teacher
 */
export function readRescued(text: string, testId: string): Rescued {
  const file = v.safeParse(RescueFile, parsed(text));
  if (!file.success) {
    throw new RescueProblem(
      'Это не файл с ответами, или он повреждён. Нужен файл «Ответы, …», который приложение сохранило на устройстве ученика',
    );
  }
  const { owner, attempts } = file.output;
  const own = attempts
    .filter((attempt) => attempt.testId === testId)
    .map((attempt) => ({
      attemptId: attempt.attemptId,
      answers: answersOf(attempt),
      files: attempt.files,
    }));
  const all = attempts.reduce((sum, attempt) => sum + answersOf(attempt).length, 0);
  const count = own.reduce((sum, { answers }) => sum + answers.length, 0);
  const lost = own.flatMap(({ files }) =>
    files.filter(({ base64 }) => base64 === null).map(({ name }) => name),
  );
  return { owner, attempts: own, count, elsewhere: all - count, lost };
}

/** Splits answers into batches of one call's limit. */
export function portions(answers: readonly RescuedAnswer[]): RescuedAnswer[][] {
  const cut: RescuedAnswer[][] = [];
  for (let from = 0; from < answers.length; from += RESCUED_AT_ONCE)
    cut.push(answers.slice(from, from + RESCUED_AT_ONCE));
  return cut;
}
