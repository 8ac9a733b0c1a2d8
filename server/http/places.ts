import { Refusal, type RefusalOptions } from './refusal.ts';

/** Counts what is open per account. */
export interface Places {
  /** @throws {Refusal} TOO_MANY_REQUESTS. Returns what gives the place back. */
  take(userId: string): () => void;
}

export function createPlaces(limit: number, refusal: RefusalOptions): Places {
  const taken = new Map<string, number>();
  return {
    take(userId) {
      const count = taken.get(userId) ?? 0;
      if (count >= limit) throw new Refusal('TOO_MANY_REQUESTS', refusal);
      taken.set(userId, count + 1);
      return () => {
        const left = (taken.get(userId) ?? 1) - 1;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
      };
    },
  };
}
