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

/** The arrival of an operation; milliseconds since 1970. */
interface OperationArrival {
  readonly receivedAt: number;
  /** The arrival before it; null: it was the first. */
  readonly lastContactAt: number | null;
  /**
   * Since when anything waited that arrived then or later. Without an age an operation waited since the newest server
   * time that the device had seen.
   */
  readonly waitingSince: number;
}

/** The silence that ended with an arrival: something was written and nothing arrived, for more than a minute. */
export function silenceBefore(arrival: OperationArrival): Period | null {
  const { receivedAt: to, lastContactAt, waitingSince } = arrival;
  const from = Math.max(waitingSince, lastContactAt ?? -Infinity);
  return to - from > SILENCE_MS ? { from, to } : null;
}

/** When a device had something written and nothing arrived from it. */
export function silenceOf(deliveries: readonly OperationDelivery[]): Silence {
  const inOrder = [...deliveries].sort((a, b) => a.receivedAt - b.receivedAt);
  const periods: Period[] = [];
  let waitingSince = Infinity;
  // From the end, since what arrives later may have been written earlier.
  for (const [index, delivery] of [...inOrder.entries()].reverse()) {
    const { receivedAt, writtenAt, seenServerAt } = delivery;
    waitingSince = Math.min(waitingSince, writtenAt ?? seenServerAt ?? receivedAt);
    const lastContactAt = inOrder[index - 1]?.receivedAt ?? null;
    const period = silenceBefore({ receivedAt, lastContactAt, waitingSince });
    if (period) periods.unshift(period);
  }
  return { periods, isAgeUnknown: inOrder.some(({ writtenAt }) => writtenAt === null) };
}
