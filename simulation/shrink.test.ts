import { describe, expect, test } from 'vitest';
import { parseScript } from './script.ts';
import { minimize } from './shrink.ts';

/** A hundred items that fail when these are among them. */
const entries = Array.from({ length: 100 }, (_, i) => i);
const failsWith = (needed: readonly number[]) => (items: readonly number[]) =>
  Promise.resolve(needed.every((one) => items.includes(one)) ? items : null);

describe('of many items', () => {
  test.each([[[7]], [[3, 50, 99]], [[0, 1, 2, 3]], [[10, 90]]])(
    'only those that the failure needs are left: %j',
    async (needed) => {
      const found = await minimize(entries, failsWith(needed), () => true);
      expect(found).toEqual({ items: needed, isShortest: true });
    },
  );

  test('none are left when the failure needs none', async () => {
    expect((await minimize(entries, failsWith([]), () => true)).items).toEqual([]);
  });

  test('the best result so far is returned when the time is over', async () => {
    let tries = 0;
    const mayTry = () => tries++ < 3;
    const { items, isShortest } = await minimize(entries, failsWith([7]), mayTry);
    expect(isShortest).toBe(false);
    expect(items).toContain(7);
    expect(items.length).toBeLessThan(entries.length);
  });

  test('items that a failing run did not use are not tried again', async () => {
    const onlyEven = async (items: readonly number[]) =>
      items.includes(8) ? items.filter((one) => one % 2 === 0) : null;
    expect((await minimize(entries, onlyEven, () => true)).items).toEqual([8]);
  });
});

test('a script reads as steps with their faults, in order', () => {
  expect(parseScript(['12:answer', '3:flush', '3.2:replyLost', '3:cheat', '7:cheat'])).toEqual([
    { index: 3, name: 'flush', cheats: true, faults: new Map([[2, 'replyLost']]) },
    { index: 7, name: null, cheats: true, faults: new Map() },
    { index: 12, name: 'answer', cheats: false, faults: new Map() },
  ]);
});

test('invalid script text is refused', () => {
  expect(() => parseScript(['12:answer', 'and so on'])).toThrow('invalid script entry: and so on');
});
