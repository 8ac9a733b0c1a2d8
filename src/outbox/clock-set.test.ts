import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { FakeServer, MINUTE, open } from './fake-server.ts';
import { fakeTransport } from './fake-transport.ts';
import { device, drain, newWorld, running, type TestDevice } from './test-device.ts';

/** A device's clock that is set forward or back while offline, with 40 minutes of time. */

const DAY = 24 * 60 * MINUTE;

/** A device with a wall clock that can be set, and a monotonic clock that stops in sleep. It may be offline. */
function createBody() {
  const world = newWorld();
  const server = new FakeServer(world);
  const state = { skew: 0, slept: 0, isHidden: false, isOffline: false };
  const wall = () => world.now + state.skew;
  let origin = world.now;
  server.fault = () => (state.isOffline ? 'loseRequest' : null);
  const factory = new IDBFactory();
  const env = {
    server,
    factory,
    transport: fakeTransport(server, wall),
    clock: {
      wall,
      monotone: () => world.now - origin - state.slept,
      mayHaveSlept: () => state.isHidden,
    },
  };
  return {
    world,
    server,
    state,
    env,
    reload: async (): Promise<TestDevice> => {
      origin = world.now;
      state.slept = 0;
      const page = await device(env);
      await page.outbox.opened();
      return page;
    },
  };
}

async function seated() {
  const body = createBody();
  const { outbox, attemptId, events } = await running(body.env);
  await outbox.flush();
  body.state.isOffline = true;
  return { ...body, outbox, attemptId, events };
}

type Seated = Awaited<ReturnType<typeof seated>>;
type Page = Pick<Seated, 'outbox' | 'attemptId'>;

/** Time passes as on a page that reads the clock. */
async function pass(one: Seated, ms: number, page: Page = one): Promise<void> {
  one.world.now += ms;
  page.outbox.serverNow();
}

/** The wall clock is set; a page that is shown sees it within a quarter of a second. */
async function setClock(one: Seated, ms: number, page: Page = one): Promise<void> {
  page.outbox.serverNow();
  one.state.skew += ms;
  await pass(one, 250, page);
  // The page itself stores the result.
  await page.outbox.flush();
}

async function look({ outbox, attemptId }: Page) {
  const view = await outbox.snapshot(attemptId);
  if (!view) throw new Error('no view');
  const { state, readOnly, remainingMs } = view;
  return { state, readOnly, remainingMs };
}

const left = ({ server, world }: Seated): number => server.deadline - world.now;

async function expectOpen(one: Seated, page: Page = one, slackMs = 100): Promise<void> {
  const view = await look(page);
  expect([view.state, view.readOnly]).toEqual(['running', null]);
  expect(Math.abs(view.remainingMs - left(one))).toBeLessThanOrEqual(slackMs);
}

test.each([10 * MINUTE, 50 * MINUTE, DAY])(
  'row 40: a clock put forward by %d ms under a page that is shown costs nothing, nor when it is put back',
  async (ms) => {
    const one = await seated();
    await pass(one, 10 * MINUTE);
    await setClock(one, ms);
    await expectOpen(one);
    await pass(one, 5 * MINUTE);
    await setClock(one, -ms);
    await expectOpen(one);
    expect(one.server.count('finish')).toBe(0);
  },
);

/** The device sleeps: its monotonic clock stops, and the page is hidden meanwhile. */
async function sleepFor(one: Seated, ms: number): Promise<void> {
  one.state.isHidden = true;
  one.state.slept += ms;
  await pass(one, ms);
  one.state.isHidden = false;
}

test('row 40: a clock put forward and back under a page that is shown gives no minute of a sleep back', async () => {
  const one = await seated();
  await sleepFor(one, 10 * MINUTE);
  await expectOpen(one);
  await setClock(one, 12 * MINUTE);
  await expectOpen(one);
  await setClock(one, -12 * MINUTE);
  await expectOpen(one);
});

test('row 40: a clock put forward under a page that is shown, and back across a reload, gives no minute of a sleep back', async () => {
  const one = await seated();
  await sleepFor(one, 10 * MINUTE);
  await setClock(one, 12 * MINUTE);
  one.state.skew -= 12 * MINUTE;
  const page = await one.reload();
  await expectOpen(one, { outbox: page.outbox, attemptId: one.attemptId }, 300);
});

test.each<[string, (one: Seated) => Promise<void>]>([
  [
    'that a reply has corrected',
    async (one) => {
      one.state.isHidden = true;
      await setClock(one, 12 * MINUTE);
      one.state.isOffline = false;
      await one.outbox.answer(one.attemptId, open('между'));
      await drain(one);
      one.state.isOffline = true;
    },
  ],
  ['that the page saw', (one) => setClock(one, DAY)],
])(
  'row 40: a clock put forward %s, then again unseen, gives its time back when that is undone',
  async (_what, before) => {
    const one = await seated();
    await before(one);
    await expectOpen(one);
    one.state.isHidden = true;
    await setClock(one, 5 * MINUTE);
    expect((await look(one)).remainingMs).toBeLessThan(left(one) - 4 * MINUTE);
    await setClock(one, -5 * MINUTE);
    await expectOpen(one);
  },
);

test('row 40: a clock put forward while no page ran gives its time back when that is undone', async () => {
  const one = await seated();
  await setClock(one, DAY);
  one.state.skew += 5 * MINUTE;
  const { outbox } = await one.reload();
  const page = { outbox, attemptId: one.attemptId };
  expect((await look(page)).remainingMs).toBeLessThan(left(one) - 4 * MINUTE);
  await setClock(one, -5 * MINUTE, page);
  await expectOpen(one, page, 5_000);
});

test('row 40: what another page saw before an unseen change costs nothing when that is undone', async () => {
  const one = await seated();
  const { outbox } = await device(one.env);
  await outbox.opened();
  const second = { outbox, attemptId: one.attemptId };
  one.state.isHidden = true;
  await pass(one, 0, second);
  one.state.isHidden = false;
  await setClock(one, 60 * MINUTE);
  one.state.isHidden = true;
  one.state.skew += 12 * MINUTE;
  await pass(one, 250, second);
  await second.outbox.flush();
  one.state.isHidden = false;
  await setClock(one, -12 * MINUTE, second);
  await expectOpen(one, second, 500);
});

test('row 40: a school clock put back does not count as a device clock put forward', async () => {
  const one = await seated();
  one.state.isOffline = false;
  one.world.now -= 5 * MINUTE;
  one.state.skew += 5 * MINUTE;
  await one.outbox.answer(one.attemptId, open('между'));
  await drain(one);
  one.state.isOffline = true;
  one.state.isHidden = true;
  await setClock(one, 5 * MINUTE);
  await setClock(one, -5 * MINUTE);
  await expectOpen(one);
});

test('row 40: of a clock put back further than it was seen put forward, the rest gives time back', async () => {
  const one = await seated();
  one.state.isHidden = true;
  await setClock(one, 10 * MINUTE);
  expect((await look(one)).remainingMs).toBeLessThan(left(one) - 9 * MINUTE);
  one.state.isHidden = false;
  await setClock(one, 60 * MINUTE);
  await setClock(one, -70 * MINUTE);
  await expectOpen(one);
});

test('row 40: a clock put forward while the page is hidden locks the inputs, and opens them when put right', async () => {
  const one = await seated();
  await one.outbox.answer(one.attemptId, open('раньше'));
  await pass(one, 11 * MINUTE);
  one.state.isHidden = true;
  await setClock(one, DAY);
  expect(await look(one)).toMatchObject({ state: 'finishing', remainingMs: 0 });

  await pass(one, MINUTE);
  await setClock(one, -DAY);
  await expectOpen(one);
  await one.outbox.answer(one.attemptId, open('позже'));
  one.state.isOffline = false;
  await drain(one);
  expect(one.server.text()).toBe('позже');
  // The server sees no gap for the dropped finish.
  const sent = one.server.calls.findLast(({ name }) => name === 'answer');
  expect(sent?.headers[HEADER.folded]).toBe('2');
  expect(one.server.finished).toBeNull();

  one.state.isOffline = true;
  await pass(one, left(one) + 6_000);
  await one.outbox.flush();
  expect((await look(one)).state).toBe('finishing');
  one.state.isOffline = false;
  await one.outbox.flush({ force: true });
  await drain(one);
  expect(one.server.finished?.outcome).toBe('stored');
});

test('row 40: a clock corrected to the minute neither adds nor removes time', async () => {
  const one = await seated();
  one.state.isHidden = true;
  await setClock(one, 50 * MINUTE);
  expect((await look(one)).state).toBe('finishing');
  await setClock(one, -50 * MINUTE - 40_000);
  await expectOpen(one);
});

test('row 40: forward, then a reload, then right again', async () => {
  const one = await seated();
  one.state.isHidden = true;
  await setClock(one, 50 * MINUTE);
  const page = { outbox: (await one.reload()).outbox, attemptId: one.attemptId };
  expect((await look(page)).state).toBe('finishing');
  await pass(one, MINUTE, page);
  await setClock(one, -50 * MINUTE, page);
  await expectOpen(one, page);
});

test('row 40: what a shown page saw of a clock outlives a reload', async () => {
  const one = await seated();
  await setClock(one, 50 * MINUTE);
  const page = { outbox: (await one.reload()).outbox, attemptId: one.attemptId };
  await page.outbox.flush();
  await expectOpen(one, page);
});

test('row 40: put right while no page is open', async () => {
  const one = await seated();
  one.state.isHidden = true;
  await setClock(one, 50 * MINUTE);
  one.state.skew = 0;
  const page = { outbox: (await one.reload()).outbox, attemptId: one.attemptId };
  await expectOpen(one, page);
});

test('row 40: a reply of the server brings the time back and drops the finish, whatever the clock shows', async () => {
  const one = await seated();
  one.state.isHidden = true;
  await setClock(one, 50 * MINUTE);
  expect((await look(one)).state).toBe('finishing');
  one.state.isOffline = false;
  await one.outbox.report();
  await one.outbox.flush({ force: true });
  await drain(one, 3);
  await expectOpen(one);
  expect(one.server.finished).toBeNull();
});

test('row 15: sleep gives no minute: a page that was hidden counts it', async () => {
  const one = await seated();
  one.state.isHidden = true;
  one.state.slept += 20 * MINUTE;
  await pass(one, 20 * MINUTE);
  await expectOpen(one);
  one.state.slept += 30 * MINUTE;
  await pass(one, 30 * MINUTE);
  await one.outbox.flush();
  expect((await look(one)).state).toBe('finishing');
});

test('row 40: forward during sleep, then right again: only the sleep has passed', async () => {
  const one = await seated();
  one.state.isHidden = true;
  one.state.slept += 20 * MINUTE;
  one.state.skew += 50 * MINUTE;
  await pass(one, 20 * MINUTE);
  await one.outbox.flush();
  expect((await look(one)).state).toBe('finishing');
  await setClock(one, -50 * MINUTE);
  await expectOpen(one);
});

test('row 40: a clock put back gives no minute, hidden or shown', async () => {
  const one = await seated();
  await pass(one, 10 * MINUTE);
  await setClock(one, -30 * MINUTE);
  await expectOpen(one);
  one.state.isHidden = true;
  await setClock(one, -30 * MINUTE);
  await expectOpen(one);
  await setClock(one, 60 * MINUTE);
  one.state.isHidden = false;
  await pass(one, left(one) + 6_000);
  await one.outbox.flush();
  expect((await look(one)).state).toBe('finishing');
});

test('row 40: the student’s own finish stays, whatever the clock does', async () => {
  const one = await seated();
  await one.outbox.finish(one.attemptId, 'student');
  one.state.isHidden = true;
  await setClock(one, 50 * MINUTE);
  await setClock(one, -50 * MINUTE);
  expect((await look(one)).state).toBe('finishing');
});

test('row 40: a page that was hidden believes the one that saw the clock being set', async () => {
  const one = await seated();
  const clock = { ...one.env.clock, mayHaveSlept: () => true };
  const other = { outbox: (await device({ ...one.env, clock })).outbox, attemptId: one.attemptId };
  await other.outbox.flush();
  other.outbox.serverNow();
  await setClock(one, 50 * MINUTE);
  await other.outbox.flush();
  await expectOpen(one, other);
  await expectOpen(one);
});
