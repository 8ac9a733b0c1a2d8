import { expect, test } from 'vitest';
import type { ImportResult, ImportRow } from '#contract/admin.ts';
import { ApiFailure, type FailureParts } from '#app/api/failure.ts';
import { batchesOf, runBatches, type ImportBatch } from './batches.ts';

const rows = (count: number): ImportRow[] =>
  Array.from({ length: count }, (_, n) => ({
    line: n + 2,
    userName: `Имя ${n}`,
    email: `n${n}@school.ru`,
    role: '',
    password: '',
  }));
let keys = 0;
const batches = (count: number) => batchesOf(rows(count), () => `key-${(keys += 1)}`);
const failure = (parts: Partial<FailureParts>) =>
  new ApiFailure({ kind: 'unreachable', method: 'POST', url: '/', ...parts });
const made = ({ rows: sent }: ImportBatch): ImportResult[] =>
  sent.map(({ line }) => ({ line, outcome: 'good', problems: [], userId: null, password: 'P' }));

interface Answering {
  answer: (batch: ImportBatch, call: number) => ImportResult[] | Error;
  stopAt?: number;
}

async function run(pending: readonly ImportBatch[], { answer, stopAt }: Answering) {
  const stop = new AbortController();
  const sent: string[] = [];
  const waits: number[] = [];
  const lines: number[] = [];
  const end = await runBatches(pending, {
    signal: stop.signal,
    send: async (batch) => {
      sent.push(batch.key);
      if (sent.length === stopAt) stop.abort();
      const reply = answer(batch, sent.length);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    wait: async (ms) => void waits.push(ms),
    onResults: (results) => lines.push(...results.map(({ line }) => line)),
    onWaiting: () => undefined,
  });
  return { end, sent, waits, lines };
}

test('rows are sent in batches of 25, in order', async () => {
  const pending = batches(60);
  expect(pending.map((batch) => batch.rows.length)).toEqual([25, 25, 10]);
  const { end, lines } = await run(pending, { answer: made });
  expect(end.kind).toBe('done');
  expect(lines).toEqual(rows(60).map(({ line }) => line));
});

test('a lost reply is retried with the same key', async () => {
  const pending = batches(30);
  const { end, sent, lines } = await run(pending, {
    answer: (batch, call) => (call === 2 ? failure({ timedOut: true }) : made(batch)),
  });
  expect(end.kind).toBe('done');
  expect(sent).toEqual([pending[0]?.key, pending[1]?.key, pending[1]?.key]);
  expect(lines).toHaveLength(30);
});

test.each([429, 503])('%i waits for Retry-After', async (status) => {
  const { end, waits } = await run(batches(1), {
    answer: (batch, call) =>
      call === 1 ? failure({ kind: 'refused', status, retryAfterMs: 7_000 }) : made(batch),
  });
  expect([end.kind, waits]).toEqual(['done', [7_000]]);
});

test('an unresponsive server is retried with back-off, then the import fails', async () => {
  const { end, waits } = await run(batches(1), { answer: () => failure({}) });
  expect(end.kind).toBe('failed');
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a refusal ends the run at once and loses no results', async () => {
  const { end, lines } = await run(batches(50), {
    answer: (batch, call) =>
      call === 2 ? failure({ kind: 'refused', status: 403, message: 'Нет прав' }) : made(batch),
  });
  expect(end.kind).toBe('failed');
  expect(lines).toHaveLength(25);
});

test('a stop lets the pending batch finish, and resuming sends the others with their keys', async () => {
  const pending = batches(75);
  const first = await run(pending, { answer: made, stopAt: 2 });
  expect(first.end.kind).toBe('stopped');
  expect(first.lines).toHaveLength(50);
  const left = pending.filter(
    (batch) => !batch.rows.some(({ line }) => first.lines.includes(line)),
  );
  const second = await run(left, { answer: made });
  expect(second.sent).toEqual([pending[2]?.key]);
});
