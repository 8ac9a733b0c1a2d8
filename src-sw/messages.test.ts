import { expect, test } from 'vitest';
import { paintedCache } from '#app/offline/painted-page.ts';
import type { AttemptRow } from '#app/storage/rows.ts';
import { createMemoryStorage } from '#app/storage/memory.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import { cachesOfOthers, outdatedCaches } from './caches.ts';
import { contentCache } from '#app/offline/content-cache.ts';
import { onMessage } from './messages.ts';

const NOW = Date.parse('2026-05-22T08:00:00Z');
const attempt: AttemptRow = {
  attemptId: 'a1',
  owner: 'anna',
  testId: 't1',
  title: 'Законы Ньютона',
  attemptNumber: 1,
  attemptsCount: 2,
  totalQuestions: 20,
  stream: 's1',
  streams: [],
  startedAt: NOW - 60_000,
  deadline: NOW + 60_000,
  countsUntil: NOW + 120_000,
  state: 'running',
  finishedAt: null,
  takenOver: false,
  gone: false,
  marks: [],
  lastQuestionId: null,
};

async function worker(
  options: { attempts?: AttemptRow[]; pages?: number; caches?: string[] } = {},
) {
  const storage = createMemoryStorage();
  await storage.write(['attempts'], async (tx) => {
    for (const row of options.attempts ?? []) await tx.put('attempts', row);
  });
  const deleted: string[] = [];
  let skipped = 0;
  let verdict: string | null = null;
  const send = (message: unknown) =>
    onMessage(message, (reply) => (verdict = reply.verdict), {
      storage,
      now: () => NOW,
      countPages: () => Promise.resolve(options.pages ?? 1),
      skipWaiting: () => Promise.resolve(void (skipped += 1)),
      cacheNames: () => Promise.resolve(options.caches ?? []),
      deleteCache: (name) => Promise.resolve(deleted.push(name)),
    });
  return { send, deleted, state: () => ({ skipped, verdict }) };
}

test('an accepted update is applied when no attempt runs and one page is open', async () => {
  const { send, state } = await worker();
  await send({ type: 'applyUpdate' });
  expect(state()).toEqual({ skipped: 1, verdict: 'applied' });
});

test('an update is never applied while an attempt runs on this device', async () => {
  const { send, state } = await worker({ attempts: [attempt] });
  await send({ type: 'applyUpdate' });
  expect(state()).toEqual({ skipped: 0, verdict: 'attemptRuns' });
});

test('an accepted update is applied under an attempt that the server refuses from this version', async () => {
  const { send, state } = await worker({ attempts: [attempt] });
  await send({ type: 'applyUpdate', duringAttempt: true });
  expect(state()).toEqual({ skipped: 1, verdict: 'applied' });
});

test.each([
  ['is over', { ...attempt, deadline: NOW - 1 }],
  ['ends now', { ...attempt, deadline: NOW }],
  ['was finished', { ...attempt, state: 'finished' as const }],
])('an attempt that %s does not prevent an update', async (_, over) => {
  const { send, state } = await worker({ attempts: [over] });
  await send({ type: 'applyUpdate' });
  expect(state().verdict).toBe('applied');
});

test('other open pages prevent an update', async () => {
  const { send, state } = await worker({ pages: 2 });
  await send({ type: 'applyUpdate' });
  expect(state()).toEqual({ skipped: 0, verdict: 'otherTabs' });
});

test('a sign-out deletes the caches of that user', async () => {
  const { send, deleted } = await worker();
  await send({ type: 'forgetOwner', owner: 'anna' });
  expect(deleted).toEqual([contentCache('anna'), paintedCache('anna'), picturesCache('anna')]);
});

test('pictures of a running attempt stay', async () => {
  const { send, deleted } = await worker();
  await send({ type: 'forgetOwner', owner: 'anna', keepPictures: true });
  expect(deleted).toEqual([contentCache('anna'), paintedCache('anna')]);
});

test('a sign-in deletes the caches of other users', async () => {
  const names = [contentCache('anna'), picturesCache('boris'), contentCache('boris'), 'assets-1'];
  const { send, deleted } = await worker({ caches: names });
  await send({ type: 'keepOnly', owner: 'anna' });
  expect(deleted).toEqual([picturesCache('boris'), contentCache('boris')]);
});

test.each([null, 'applyUpdate', { type: 'somethingNewer' }, { type: 'forgetOwner' }])(
  'the unknown message %j is ignored',
  async (message) => {
    const { send, deleted, state } = await worker();
    await send(message);
    expect([deleted, state()]).toEqual([[], { skipped: 0, verdict: null }]);
  },
);

test('caches of older shapes are outdated, others’ and the precache are not', () => {
  const names = [
    'content-0:anna',
    contentCache('anna'),
    'pictures-12:anna',
    'assets-0',
    'assets-1',
    'workbox-precache-v2-/',
    'somebody-elses-content-0:anna',
  ];
  expect(outdatedCaches(names)).toEqual(['content-0:anna', 'pictures-12:anna', 'assets-0']);
  expect(cachesOfOthers(names, 'anna')).toEqual([]);
});
