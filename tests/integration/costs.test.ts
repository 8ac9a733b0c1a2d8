import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getBoard } from '#contract/board.ts';
import { HEADER } from '#contract/headers.ts';
import { getSavedAnswers } from '#contract/passing.ts';
import { getResult } from '#contract/results.ts';
import { getStatistics } from '#contract/statistics.ts';
import { getPassing, listMyTests } from '#contract/tests.ts';
import { nth, startClass } from '#tests/class-work.ts';
import { RIGHT, TestDevice } from '#tests/school.ts';
import { testServer, type Answered, type TestServer } from '#tests/server.ts';

/**
 * The costs of an hour's calls, counted rather than timed: statements sent to the database, begin and commit included,
 * and bytes of the replies. A call that costs twice as much fails here; if one costs less, update the entry.
 */
const COSTS = {
  'the list of tests': { statements: 4, bytes: 475 },
  'a start': { statements: 17, bytes: 1_839 },
  'a save': { statements: 2, bytes: 676 },
  'thirty saves at once': { statements: 9, bytes: 20_280 },
  'a report of presence': { statements: 4, bytes: 387 },
  'thirty reports of presence at once': { statements: 73, bytes: 11_610 },
  'the saved answers': { statements: 3, bytes: 303 },
  'a finish': { statements: 18, bytes: 676 },
  'a result': { statements: 8, bytes: 1_501 },
  'the live view of thirty students': { statements: 5, bytes: 15_931 },
  'the statistics of thirty students': { statements: 6, bytes: 9_069 },
} as const;

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('no call of an hour costs twice what it did', async () => {
  const names = Array.from({ length: 31 }, (_, index) => `Ученик ${index + 1}`);
  const { teacher, testId, devices: all } = await startClass(server, names, { attemptsCount: 2 });
  const [device, ...devices] = [nth(all, 0), ...all.slice(1)];
  const { student } = device;
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const costs: Record<string, { statements: number; bytes: number }> = {};
  async function count(what: keyof typeof COSTS, run: () => Promise<Answered<unknown>[]>) {
    query.mockClear();
    const replies = await run();
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const bytes = replies.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    costs[what] = { statements: query.mock.calls.length, bytes };
  }
  const one = (reply: Promise<Answered<unknown>>) => reply.then((answered) => [answered]);
  const report = ({ attemptId, stream, student: as }: TestDevice) =>
    server.send(
      getPassing,
      { params: { attemptId } },
      { as, headers: { [HEADER.stream]: stream, [HEADER.head]: '1' } },
    );
  const reread = { params: { attemptId: device.attemptId } };

  // The first save of an attempt reads what later ones find cached.
  for (const each of all) await each.answer(RIGHT.single);
  await count('the list of tests', () => one(server.send(listMyTests, {}, { as: student })));
  await count('a save', () => one(device.answer(RIGHT.single)));
  await count('thirty saves at once', () =>
    Promise.all(devices.map((each) => each.answer(RIGHT.several))),
  );
  await count('a report of presence', () => one(report(device)));
  await count('thirty reports of presence at once', () => Promise.all(devices.map(report)));
  await count('the saved answers', () =>
    one(server.send(getSavedAnswers, { params: { id: device.attemptId } }, { as: student })),
  );
  await count('the live view of thirty students', () =>
    one(server.send(getBoard, { params: { id: testId } }, { as: teacher })),
  );
  await count('a finish', () => one(device.finish()));
  await count('a result', () => one(server.send(getResult, reread, { as: student })));
  await count('a start', () => one(new TestDevice(server, student).start(testId)));
  for (const each of devices) await each.finish();
  await count('the statistics of thirty students', () =>
    one(server.send(getStatistics, { params: { id: testId } }, { as: teacher })),
  );
  query.mockRestore();

  expect(Object.keys(costs).toSorted()).toEqual(Object.keys(COSTS).toSorted());
  for (const [what, cost] of Object.entries(costs)) {
    const known = COSTS[what as keyof typeof COSTS];
    expect(cost.statements, `${what}: statements`).toBeLessThan(2 * known.statements);
    expect(cost.bytes, `${what}: bytes`).toBeLessThan(2 * known.bytes);
  }
});
