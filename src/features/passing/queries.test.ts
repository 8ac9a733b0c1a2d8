import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { NO_SAVED_ANSWERS } from '#contract/answers.ts';
import { HEADER } from '#contract/headers.ts';
import { call } from '#app/api/call.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { passingQuery, savedAnswersQuery } from './queries.ts';

vi.mock('#app/api/call.ts', () => ({ call: vi.fn() }));
beforeEach(() => void vi.mocked(call).mockReset());

const reply = (value: unknown) => vi.mocked(call).mockResolvedValueOnce(value);
const fail = () => vi.mocked(call).mockRejectedValueOnce(new Error('no network'));

function setUp() {
  const adoptDeadline = vi.fn<() => Promise<void>>(async () => undefined);
  const adoptSaved = vi.fn<() => Promise<void>>(async () => undefined);
  const outbox = { adoptDeadline, adoptSaved } as unknown as Outbox;
  const client = new QueryClient();
  return {
    adoptDeadline,
    adoptSaved,
    readState: () => client.fetchQuery(passingQuery(outbox, client, 'a1')),
    readSaved: () => client.fetchQuery(savedAnswersQuery(outbox, client, 'a1', 's1')),
  };
}

test('the deadline that the server reports becomes the attempt’s', async () => {
  const { readState, adoptDeadline } = setUp();
  reply({ deadline: 'later' });
  expect(await readState()).toEqual({ deadline: 'later' });
  expect(adoptDeadline).toHaveBeenCalledWith('a1', { deadline: 'later' });
});

test('without a reply the state that was known last stays, and each read asks again', async () => {
  const { readState } = setUp();
  fail();
  expect(await readState()).toBeNull();
  reply({ deadline: 'known' });
  await readState();
  fail();
  expect(await readState()).toEqual({ deadline: 'known' });
  expect(call).toHaveBeenCalledTimes(3);
});

test('answers on the server are requested with the device’s stream and merged there', async () => {
  const { readSaved, adoptSaved } = setUp();
  const saved = { ...NO_SAVED_ANSWERS, openAnswers: [{ text: '4,9' }] };
  reply(saved);
  expect(await readSaved()).toEqual(saved);
  expect(adoptSaved).toHaveBeenCalledWith('a1', saved);
  expect(vi.mocked(call).mock.lastCall).toMatchObject([
    {},
    { params: { id: 'a1' } },
    { headers: { [HEADER.stream]: 's1' } },
  ]);
});

test('without a reply the answers that were known last stay, else none are', async () => {
  const { readSaved } = setUp();
  fail();
  expect(await readSaved()).toEqual(NO_SAVED_ANSWERS);
  const saved = { ...NO_SAVED_ANSWERS, openAnswers: [{ text: '4,9' }] };
  reply(saved);
  await readSaved();
  fail();
  expect(await readSaved()).toEqual(saved);
});
