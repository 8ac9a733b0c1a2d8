import { Refusal, type RefusalOptions } from './refusal.ts';

/**
 * Limits what an account does at one time, and refuses the rest; with `limitConcurrencyPerUser` replies wait instead.
 */
export interface Semaphore {
  /**
   * @throws {Refusal} TOO_MANY_REQUESTS. Returns the function that releases the slot.
   */
  take(userId: string): () => void;
}

export function createSemaphore(limit: number, refusal: RefusalOptions): Semaphore {
  const openCounts = new Map<string, number>();
  return {
    take(userId) {
      const count = openCounts.get(userId) ?? 0;
      if (count >= limit) throw new Refusal('TOO_MANY_REQUESTS', refusal);
      openCounts.set(userId, count + 1);
      return () => {
        const left = (openCounts.get(userId) ?? 1) - 1;
        if (left > 0) openCounts.set(userId, left);
        else openCounts.delete(userId);
      };
    },
  };
}
