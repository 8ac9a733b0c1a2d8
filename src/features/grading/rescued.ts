import * as v from 'valibot';
import { TEST_BODY_BYTES } from '#contract/limits.ts';
import { RESCUED_AT_ONCE, RescuedAnswer, RescuedFile, RescueFile } from '#contract/rescue.ts';

type FileAttempt = RescueFile['attempts'][number];

/** The part of a file of answers that belongs to a test. */
export interface Rescued {
  owner: string;
  attempts: { attemptId: string; answers: RescuedAnswer[]; files: FileAttempt['files'] }[];
  /** Number of answers to this test. */
  count: number;
  /** Number of answers to other tests in the same file. */
  elsewhere: number;
  /** Number of answers to this test that match no question. */
  misfits: number;
  /** Names of files that the device has lost. */
  lost: string[];
}

/** The file is not a file of answers; the message is for the teacher. */
export class RescueProblem extends Error {}

export const NO_ANSWERS_FILE =
  'Это не файл с ответами, или он повреждён. Нужен файл «Ответы, …», который приложение сохранило на устройстве ученика';

const answersOf = ({ operations }: FileAttempt): RescuedAnswer[] =>
  operations.flatMap((one) => ('operationId' in one ? [one] : []));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const Finish = v.object({ kind: v.literal('finish') });
const Named = v.object({ name: v.string() });
const Sortable = v.looseObject({
  attempts: v.array(
    v.looseObject({
      testId: v.string(),
      operations: v.array(v.unknown()),
      files: v.array(v.unknown()),
    }),
  ),
});

/** Removes answers and files of an invalid shape, so that they do not block the others. */
function removeMisfits(file: unknown, testId: string) {
  const sortable = v.safeParse(Sortable, file);
  const left = { file, misfits: 0, lost: [] as string[] };
  if (!sortable.success) return left;
  const attempts = sortable.output.attempts.map((attempt) => {
    const operations = attempt.operations.filter(
      (one) => v.is(RescuedAnswer, one) || v.is(Finish, one),
    );
    const files = attempt.files.filter((one) => v.is(RescuedFile, one));
    if (attempt.testId === testId) {
      left.misfits += attempt.operations.length - operations.length;
      for (const one of attempt.files)
        if (!v.is(RescuedFile, one) && v.is(Named, one)) left.lost.push(one.name);
    }
    return { ...attempt, operations, files };
  });
  return { ...left, file: { ...sortable.output, attempts } };
}

/**
 * Reads the file that «Сохранить ответы в файл» makes.
 * @throws {RescueProblem} with a message for the teacher
 */
export function readRescued(text: string, testId: string): Rescued {
  const { misfits, lost: damaged, file: sorted } = removeMisfits(parsed(text), testId);
  const file = v.safeParse(RescueFile, sorted);
  if (!file.success) {
    throw new RescueProblem(NO_ANSWERS_FILE);
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
  return {
    owner,
    attempts: own,
    count,
    elsewhere: all - count,
    misfits,
    lost: [...lost, ...damaged],
  };
}

/** The rest of a call's body: the owner, commas, brackets. */
const REST_BYTES = 4 * 1024;
const encoder = new TextEncoder();

/** Splits answers into batches of one call's limits: their number and the bytes of the body. */
export function portions(answers: readonly RescuedAnswer[]): RescuedAnswer[][] {
  const cut: RescuedAnswer[][] = [];
  let bytes = Infinity;
  for (const answer of answers) {
    const size = encoder.encode(JSON.stringify(answer)).length + 1;
    const last = cut.at(-1);
    const fits = bytes + size <= TEST_BODY_BYTES - REST_BYTES;
    if (last && fits && last.length < RESCUED_AT_ONCE) {
      last.push(answer);
      bytes += size;
    } else {
      cut.push([answer]);
      bytes = size;
    }
  }
  return cut;
}
