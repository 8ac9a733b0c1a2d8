import { health, SCHOOL_TIME_ZONE } from '#contract/health.ts';
import { isTimeZone } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { logProblem } from '#app/lib/log.ts';

const KEY = 'schoolTimeZone';

/** The last known time zone of the school; an invalid value is logged and ignored. */
export function readTimeZone(local: Pick<Storage, 'getItem'>): string {
  const known = local.getItem(KEY);
  if (known === null) return SCHOOL_TIME_ZONE;
  if (isTimeZone(known)) return known;
  logProblem('Часовой пояс на устройстве не разобрать', { known });
  return SCHOOL_TIME_ZONE;
}

/** Fetches the school's time zone and stores it. Throws `ApiFailure`. */
export async function learnTimeZone(local: Pick<Storage, 'getItem' | 'setItem'>): Promise<string> {
  const { timeZone } = await call(health, {});
  const known = readTimeZone(local);
  // Most schools have the default zone, and a check costs a slow phone 60 ms at its start.
  if (timeZone === known || !isTimeZone(timeZone)) return known;
  try {
    local.setItem(KEY, timeZone);
  } catch {
    // Storage is full or forbidden: each start learns it anew.
  }
  return timeZone;
}
