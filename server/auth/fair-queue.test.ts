import { expect, test } from 'vitest';
import { createFairQueue, type QueuePosition } from './fair-queue.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
const school = (email: string): QueuePosition => ({ network: '198.51.100.7', email });
const elsewhere = (email: string): QueuePosition => ({ network: '203.0.113.9', email });
const known = (account: string): QueuePosition => ({ account });

/** Enqueues one task for each place, in this order; returns the order in which they ran. */
async function orderOf(places: readonly (readonly [string, QueuePosition])[]): Promise<string[]> {
  const inTurn = createFairQueue(1);
  const order: string[] = [];
  await Promise.all(
    places.map(([name, place]) =>
      inTurn(place, async () => {
        await pause();
        order.push(name);
      }),
    ),
  );
  return order;
}
const times = (count: number, name: string, place: (n: number) => QueuePosition) =>
  Array.from({ length: count }, (_, n) => [name, place(n)] as const);

test('tasks run a few at a time, those of one place in the order they came', async () => {
  const inTurn = createFairQueue(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const task = (n: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(n);
    await pause();
    running -= 1;
  };
  await Promise.all(numbers.map((n) => inTurn(school('anna'), task(n))));
  expect(most).toBe(2);
  expect(order).toEqual(numbers);
});

test('a flood from one address does not delay another one', async () => {
  const order = await orderOf([
    ...times(400, 'flood', (n) => elsewhere(`nobody${n}`)),
    ...times(30, 'student', (n) => school(`student${n}`)),
  ]);
  expect(order.slice(0, 62).filter((name) => name === 'student')).toHaveLength(30);
});

test('a flood of new accounts does not delay the next one of the same address', async () => {
  const order = await orderOf([
    ...times(400, 'flood', (n) => school(`nobody${n}`)),
    ['student', school('student')],
    ...times(3, 'flood', (n) => school(`nobody${n}`)),
  ]);
  expect(order.indexOf('student')).toBeLessThanOrEqual(2);
});

test('accounts of one address that had a turn alternate', async () => {
  const order = await orderOf([
    ...times(100, 'greedy', () => school('greedy')),
    ...times(3, 'anna', () => school('anna')),
    ...times(3, 'pyotr', () => school('pyotr')),
  ]);
  expect(order.lastIndexOf('anna')).toBeLessThanOrEqual(10);
  expect(order.lastIndexOf('pyotr')).toBeLessThanOrEqual(10);
});

test('a flood at one account does not delay another one of the same address', async () => {
  const order = await orderOf([
    ...times(400, 'flood', () => school('victim')),
    ['student', school('student')],
  ]);
  expect(order.indexOf('student')).toBeLessThanOrEqual(2);
});

test('known devices come first, and leave every fifth turn to the others', async () => {
  const order = await orderOf([
    ...times(400, 'flood', (n) => ({ network: `${n}`, email: 'anna' })),
    ...times(40, 'known', (n) => known(`student${n}`)),
  ]);
  const last = order.lastIndexOf('known');
  expect(last).toBeLessThanOrEqual(51);
  expect(order.slice(0, last).filter((name) => name === 'flood').length).toBeGreaterThanOrEqual(9);
});

test('one account with any number of devices has one turn of many', async () => {
  const order = await orderOf([
    ...times(400, 'greedy', () => known('greedy')),
    ...times(10, 'student', (n) => known(`student${n}`)),
    ['new', school('new')],
  ]);
  expect(order.lastIndexOf('student')).toBeLessThanOrEqual(14);
  expect(order.indexOf('new')).toBeLessThanOrEqual(6);
});

test('a failed task releases its slot', async () => {
  const inTurn = createFairQueue(1);
  const failing = inTurn(school('anna'), async () => {
    await pause();
    throw new Error('no');
  });
  const next = inTurn(school('anna'), () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('of an overlong queue the last task of the largest branch is refused', async () => {
  const inTurn = createFairQueue(1, 20);
  const outcomes = (places: readonly QueuePosition[]) =>
    Promise.allSettled(places.map((place) => inTurn(place, pause)));
  const flood = outcomes(Array.from({ length: 30 }, (_, n) => elsewhere(`nobody${n}`)));
  const students = outcomes(Array.from({ length: 5 }, (_, n) => school(`student${n}`)));
  const devices = outcomes(Array.from({ length: 5 }, (_, n) => known(`student${n}`)));
  const refused = (await flood).flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  );
  expect(refused).toHaveLength(14);
  expect(refused[0]).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 10 });
  for (const { status } of [...(await students), ...(await devices)])
    expect(status).toBe('fulfilled');
});

test('of several places the one that has waited longest has the first turn', async () => {
  const held = ['held', known('held')] as const;
  const accounts = ['anna', 'boris', 'vera'].map((name) => [name, known(name)] as const);
  expect(await orderOf([held, ...accounts])).toEqual(['held', 'anna', 'boris', 'vera']);
  const networks = ['1', '2', '3'].map((network) => [network, { network, email: 'anna' }] as const);
  expect(await orderOf([held, ...networks])).toEqual(['held', '1', '2', '3']);
});

test('a place that came before a flood is not refused in its stead', async () => {
  const inTurn = createFairQueue(1, 5);
  const outcomesOf = (places: readonly QueuePosition[]) =>
    Promise.allSettled(places.map((place) => inTurn(place, pause)));
  const first = outcomesOf(['held', 'anna', 'anna'].map(known));
  const flood = outcomesOf(Array.from({ length: 6 }, () => known('greedy')));
  expect((await first).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
  expect((await flood).map(({ status }) => status)).toEqual([
    ...Array<string>(3).fill('fulfilled'),
    ...Array<string>(3).fill('rejected'),
  ]);
});

test('a place with only a refused task does not stop the others', async () => {
  const inTurn = createFairQueue(1, 2);
  const places = ['held', 'anna', 'boris', 'vera'].map(known);
  const outcomes = await Promise.allSettled(places.map((place) => inTurn(place, pause)));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('a queue that was empty serves later ones, and is no longer than before', async () => {
  const inTurn = createFairQueue(1, 2);
  const run = (name: string) => inTurn(school(name), () => pause().then(() => name));
  expect(await run('anna')).toBe('anna');
  expect(await Promise.all(['boris', 'vera', 'anna'].map(run))).toEqual(['boris', 'vera', 'anna']);
  const outcomes = await Promise.allSettled(['held', 'anna', 'boris', 'vera'].map(run));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});
