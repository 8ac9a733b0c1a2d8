import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eraseUser, exportUserData } from '#contract/admin.ts';
import { call, setConfirmationPrompt } from './call.ts';
import { download } from './download.ts';

const PARAMS = { params: { userId: '01900000-0000-7000-8000-000000000001' } };
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const needed = () =>
  json(403, {
    code: 'CONFIRMATION_REQUIRED',
    message: 'Ничего не изменено: сначала подтвердите, что это вы',
    requestId: 'r1',
  });

let answers: (() => Response)[];
let calls: number;
beforeEach(() => {
  calls = 0;
  vi.stubGlobal('fetch', () => {
    calls += 1;
    const answer = answers.shift();
    return answer ? Promise.resolve(answer()) : Promise.reject(new Error('one call too many'));
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a call that needs a confirmation is repeated once after it', async () => {
  const prompt = vi.fn(() => Promise.resolve(true));
  const stop = setConfirmationPrompt(prompt);
  answers = [needed, () => json(200, {})];
  expect(await call(eraseUser, PARAMS)).toEqual({});
  answers = [needed, needed];
  await expect(call(eraseUser, PARAMS)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect([prompt.mock.calls.length, calls]).toEqual([2, 4]);
  stop();
});

test('without a confirmation the caller gets the refusal, and nothing is sent again', async () => {
  const stop = setConfirmationPrompt(() => Promise.resolve(false));
  answers = [needed];
  await expect(call(eraseUser, PARAMS)).rejects.toThrow('Ничего не изменено');
  stop();
  answers = [needed];
  await expect(call(eraseUser, PARAMS)).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
  expect(calls).toBe(2);
});

test('a download that needs a confirmation is repeated once after it', async () => {
  const stop = setConfirmationPrompt(() => Promise.resolve(true));
  const file = () =>
    new Response('zip', { headers: { 'content-disposition': 'attachment; filename="data.zip"' } });
  answers = [needed, file];
  expect((await download(exportUserData, PARAMS)).fileName).toBe('data.zip');
  stop();
  answers = [needed];
  await expect(download(exportUserData, PARAMS)).rejects.toMatchObject({
    code: 'CONFIRMATION_REQUIRED',
  });
});
