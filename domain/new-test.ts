import { fromZonedInput, toZonedInput } from './zoned-time.ts';

/** Test payload that a new test starts from (specification, section 9). */
export interface NewTestPayload {
  name: string;
  description: string;
  theme: '';
  difficulty: '';
  attemptsCount: number;
  /** ISO 8601 UTC. */
  startTestTime: string;
  endTestTime: string;
  passTestTime: string;
  maxPoints: number;
}

const MINUTE_MS = 60_000;

/**
 * The same day and time of the next month, or its last day: 31 January leads to 28 February. The clock of the time zone
 * shows the same hour, even if it is changed in between.
 */
function monthLater(at: Date, timeZone: string): Date {
  const [day = '', time = ''] = toZonedInput(at, timeZone).split('T');
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const later = new Date(Date.UTC(year, month, Math.min(date, lastDate)));
  const wall = `${later.toISOString().slice(0, 10)}T${time}`;
  return new Date((fromZonedInput(wall, timeZone) ?? at.getTime()) + (at.getTime() % MINUTE_MS));
}

/** The default new test: it opens now and ends one month from now, at this hour of the school's clock. */
export function newTestPayload(now: Date, timeZone = 'UTC'): NewTestPayload {
  return {
    name: 'Новый тест',
    description: '',
    theme: '',
    difficulty: '',
    attemptsCount: 1,
    startTestTime: now.toISOString(),
    endTestTime: monthLater(now, timeZone).toISOString(),
    passTestTime: '10:00:00',
    maxPoints: 0,
  };
}
