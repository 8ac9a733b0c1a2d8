import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { createAnswerLimits } from './answer-limits.ts';
import type { OperationRequest } from './incoming.ts';

const NOW = new Date('2026-05-21T07:00:00.000Z');

/** Limits over a database with this journal, which counts its queries. */
function limited(journal = { answers: 0, bytes: 0 }) {
  const queried: unknown[] = [];
  const query = async (question: unknown) => {
    queried.push(question);
    return { rows: [journal], rowCount: 1 };
  };
  const limits = { answersPerAttempt: 10, answerBytesPerAttempt: 1_000, answerBytesPerMinute: 700 };
  // Contains only what the limits read.
  const deps = { pool: { query } as unknown as Pool, settings: { limits } } as unknown as Deps;
  return { queried, limits: createAnswerLimits(deps) };
}

/** Contains only what the limits read. */
const request = (bodyText: string, folded: number[] = []) =>
  ({ bodyText, folded, receivedAt: NOW }) as unknown as OperationRequest;

const abandoned = (sequences: number[]) => ({ sequences, isRecorded: true, files: [] }) as never;

test('an answer costs the attempt its bytes and a hundred for each folded sequence', async () => {
  const { limits, queried } = limited();
  const use = { answers: 0, bytes: 0 };
  await limits.admitAnswer('anna', 'a1', use, request('я'.repeat(50), [1, 2, 3]));
  expect(use).toEqual({ answers: 4, bytes: 400 });
  await limits.admitAnswer('anna', 'a1', use, request('x'.repeat(300)));
  expect(use).toEqual({ answers: 5, bytes: 700 });
  expect(queried, 'a journal far from its limits is not read').toEqual([]);
});

test('a folded sequence costs a hundred bytes of the minute', async () => {
  const { limits } = limited();
  const use = { answers: 0, bytes: 0 };
  await limits.admitAnswer('anna', 'a1', use, request('x', [1, 2, 3, 4, 5, 6, 7]));
  await expect(limits.admitAnswer('anna', 'a1', use, request('x', [8]))).rejects.toThrow(Refusal);
});

test('the bytes of a body are spent of the minute of its account', () => {
  const { limits } = limited();
  limits.spend('anna', 700, NOW);
  expect(() => limits.spend('anna', 1, NOW)).toThrow(Refusal);
  limits.spend('boris', 1, NOW);
});

test.each([
  { answers: 10, bytes: 0 },
  { answers: 0, bytes: 1_000 },
])('a journal of exactly $answers answers and $bytes bytes is full', async (journal) => {
  const { limits } = limited(journal);
  const given = request('x', [7]);
  const finish = await limits.admitFinish('a1', { ...journal }, given, abandoned([8]));
  expect(finish).toMatchObject({
    request: { folded: [] },
    abandoned: { sequences: [7, 8], isRecorded: false },
  });
});

test('a full journal is read again before an answer is refused', async () => {
  const { limits, queried } = limited({ answers: 3, bytes: 30 });
  const use = { answers: 10, bytes: 0 };
  const given = request('x');
  expect((await limits.admitFinish('a1', use, given, abandoned([]))).request).toBe(given);
  expect(queried).toHaveLength(1);
  expect(use).toEqual({ answers: 4, bytes: 30 });
});

test('a finish is counted with the sequences that it names, and recorded', async () => {
  const { limits } = limited();
  const use = { answers: 1, bytes: 0 };
  const given = request('', [5]);
  const named = abandoned([6, 7]);
  expect(await limits.admitFinish('a1', use, given, named)).toEqual({
    request: given,
    abandoned: named,
  });
  expect(use.answers).toBe(5);
});
