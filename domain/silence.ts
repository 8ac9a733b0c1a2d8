import type { Period } from './periods.ts';

/** When an operation was written and when it arrived; milliseconds since 1970. */
export interface OperationDelivery {
  /** Null: the device does not know. Its clock was set, or it was restarted. */
  readonly writtenAt: number | null;
  /** Newest server time that the device had seen when it wrote; null: none. */
  readonly seenServerAt: number | null;
  readonly receivedAt: number;
}

/** What the journal shows of a device that could not deliver. It proves nothing about what its student did. */
export interface Silence {
  /** In order, without overlaps. */
  readonly periods: readonly Period[];
  /** Whether an operation came without its age. */
  readonly isAgeUnknown: boolean;
}

/** Shorter delays are ordinary: transit, and the pauses between repeated attempts. */
export const SILENCE_MS = 60_000;

/**
 * When a device had something written and nothing arrived from it, for more than a minute. Without an age an operation
 * waited since the newest server time that the device had seen.
 */
export function silenceOf(deliveries: readonly OperationDelivery[]): Silence {
  const inOrder = [...deliveries].sort((a, b) => a.receivedAt - b.receivedAt);
  const periods: Period[] = [];
  let waitingSince = Infinity;
  // From the end, since what arrives later may have been written earlier.
  for (const [index, delivery] of [...inOrder.entries()].reverse()) {
    const { receivedAt, writtenAt, seenServerAt } = delivery;
    waitingSince = Math.min(waitingSince, writtenAt ?? seenServerAt ?? receivedAt);
    const lastContact = inOrder[index - 1]?.receivedAt ?? -Infinity;
    const from = Math.max(waitingSince, lastContact);
    if (receivedAt - from > SILENCE_MS) periods.unshift({ from, to: receivedAt });
  }
  return { periods, isAgeUnknown: inOrder.some(({ writtenAt }) => writtenAt === null) };
}
