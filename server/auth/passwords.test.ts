import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { hashPassword, takeTurns, verifyPassword } from './passwords.ts';

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

test('tasks run a few at a time, in the order they came', async () => {
  const inTurn = takeTurns(2, 100);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const task = (n: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(n);
    await pause();
    running -= 1;
  };
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  await Promise.all(numbers.map((n) => inTurn(task(n))));
  expect(most).toBe(2);
  expect(order).toEqual(numbers);
});

test('a task that fails gives its place on', async () => {
  const inTurn = takeTurns(1, 100);
  const failing = inTurn(async () => {
    await pause();
    throw new Error('no');
  });
  const next = inTurn(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('a queue that grew too long refuses instead of growing on', async () => {
  const inTurn = takeTurns(1, 1);
  const first = inTurn(pause);
  const second = inTurn(pause);
  await expect(inTurn(pause)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await Promise.all([first, second]);
});

test('a password is verified against its own hash only', async () => {
  const kept = await hashPassword('Kolokol7');
  expect(await verifyPassword(kept, 'Kolokol7')).toBe(true);
  expect(await verifyPassword(kept, 'kolokol7')).toBe(false);
  expect(await verifyPassword(undefined, 'no account has this password')).toBe(false);
});

test.each([
  ['Qwerty123', true],
  ['QWERTY123!!!', true],
  ['Gfhjkm123', true],
  ['Demo2026', false],
  ['Kolokol7', false],
])('%s is a common password: %s', (password, expected) => {
  expect(isCommonPassword(password)).toBe(expected);
});
