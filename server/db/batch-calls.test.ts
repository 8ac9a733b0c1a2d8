import { describe, expect, test, vi } from 'vitest';
import { batchCalls } from './batch-calls.ts';

/** A runner with batches that end when the test decides. */
function controlled(limits: { most: number; atOnce: number; keyOf?: (item: string) => string }) {
  const batches: { items: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const call = batchCalls<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        batches.push({
          items,
          end: () => resolve(items.map((item) => `${item}!`)),
          fail: reject,
        });
      }),
    limits,
  );
  const began = () => batches.map(({ items }) => items);
  return { batches, began, call };
}

describe('calls that share batches', () => {
  test('a lone call starts at once', async () => {
    const { batches, began, call } = controlled({ most: 10, atOnce: 1 });
    const result = call('a');
    expect(began()).toEqual([['a']]);
    batches[0]?.end();
    expect(await result).toBe('a!');
  });

  test('those that arrive meanwhile share the next one, in their order, each with its own result', async () => {
    const { batches, began, call } = controlled({ most: 10, atOnce: 1 });
    const results = ['a', 'b', 'c'].map(call);
    expect(began()).toEqual([['a']]);
    batches[0]?.end();
    await vi.waitFor(() => expect(began()).toEqual([['a'], ['b', 'c']]));
    batches[1]?.end();
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!']);
  });

  test('the items of a batch and the concurrent batches are limited', async () => {
    const { batches, began, call } = controlled({ most: 2, atOnce: 2 });
    const results = ['a', 'b', 'c', 'd', 'e'].map(call);
    expect(began()).toEqual([['a'], ['b']]);
    batches[1]?.end();
    await vi.waitFor(() => expect(began()).toEqual([['a'], ['b'], ['c', 'd']]));
    batches[0]?.end();
    await vi.waitFor(() => expect(began()).toEqual([['a'], ['b'], ['c', 'd'], ['e']]));
    batches[2]?.end();
    batches[3]?.end();
    expect(await Promise.all(results)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
  });

  test('items with the same key follow one another and do not stop the others', async () => {
    const keyOf = (item: string) => item.slice(0, 1);
    const { batches, began, call } = controlled({ most: 10, atOnce: 2, keyOf });
    const results = ['a1', 'a2', 'b1', 'a3'].map(call);
    expect(began()).toEqual([['a1'], ['b1']]);
    batches[1]?.end();
    await results[2];
    expect(began()).toEqual([['a1'], ['b1']]);
    batches[0]?.end();
    await vi.waitFor(() => expect(began()).toEqual([['a1'], ['b1'], ['a2']]));
    batches[2]?.end();
    await vi.waitFor(() => expect(began().at(-1)).toEqual(['a3']));
    batches[3]?.end();
    expect(await Promise.all(results)).toEqual(['a1!', 'a2!', 'b1!', 'a3!']);
  });

  test('a failure of a shared batch spoils only the item that fails by itself', async () => {
    const runs: (readonly string[])[] = [];
    const call = batchCalls<string, string>(
      async (items) => {
        runs.push(items);
        if (items.includes('bad')) throw new Error('bad row');
        return items.map((item) => `${item}!`);
      },
      { most: 10, atOnce: 1 },
    );
    const results = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map(call));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'first!' },
      { status: 'fulfilled', value: 'good!' },
      { status: 'rejected', reason: new Error('bad row') },
      { status: 'fulfilled', value: 'fine!' },
    ]);
    expect(runs).toEqual([['first'], ['good', 'bad', 'fine'], ['good'], ['bad'], ['fine']]);
    expect(await call('later')).toBe('later!');
  });

  test('a key is free again after its failure', async () => {
    const { batches, call } = controlled({ most: 10, atOnce: 1, keyOf: (item) => item });
    const first = call('a');
    batches[0]?.fail(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const second = call('a');
    await vi.waitFor(() => expect(batches).toHaveLength(2));
    batches[1]?.end();
    expect(await second).toBe('a!');
  });

  test('a batch that never ends stops others for a second only', async () => {
    vi.useFakeTimers();
    try {
      const { batches, began, call } = controlled({ most: 10, atOnce: 1, keyOf: (item) => item });
      const stuck = call('a');
      const again = call('a');
      const other = call('b');
      await vi.advanceTimersByTimeAsync(999);
      expect(began()).toEqual([['a']]);
      await vi.advanceTimersByTimeAsync(1);
      expect(began()).toEqual([['a'], ['a', 'b']]);
      batches[1]?.end();
      expect(await Promise.all([again, other])).toEqual(['a!', 'b!']);
      const later = call('c');
      batches[0]?.end();
      batches[2]?.end();
      expect(await Promise.all([stuck, later])).toEqual(['a!', 'c!']);
    } finally {
      vi.useRealTimers();
    }
  });
});
