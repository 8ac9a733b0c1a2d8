import { CALLS_PER_MINUTE } from '#contract/limits.ts';
import { Refusal } from './refusal.ts';

const WINDOW_MS = 60_000;
const SWEEP_ABOVE = 5_000;

interface Window {
  startedAt: number;
  spent: number;
}

/**
 * Counts calls by account, or their cost, in windows of a minute, in this process.
 * @returns a function of the account, the time in ms and the cost; throws TOO_MANY_REQUESTS above the limit
 */
export function rateLimit(
  limit = CALLS_PER_MINUTE,
): (account: string, now: number, cost?: number) => void {
  const windows = new Map<string, Window>();
  const isOver = (window: Window, now: number) =>
    now - window.startedAt >= WINDOW_MS || now < window.startedAt;

  return (account, now, cost = 1) => {
    let window = windows.get(account);
    if (!window || isOver(window, now)) {
      if (windows.size > SWEEP_ABOVE)
        for (const [key, old] of windows) if (isOver(old, now)) windows.delete(key);
      window = { startedAt: now, spent: 0 };
      windows.set(account, window);
    }
    window.spent += cost;
    if (window.spent <= limit) return;
    throw new Refusal('TOO_MANY_REQUESTS', {
      retryAfterSeconds: Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000)),
    });
  };
}
