import type { Client } from '#server/db/query.ts';
import { Refusal } from '#server/http/refusal.ts';
import { giveBack, keyOf, spend } from '#server/auth/leaky-bucket.ts';

const DAY_S = 86_400;

interface SchoolDay {
  /** «2026-03-02». */
  readonly date: string;
  readonly secondsLeft: number;
}

/** The day by the school's clock. */
function schoolDayOf(now: Date, timeZone: string): SchoolDay {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? '0';
  const passed =
    Number(read('hour')) * 3_600 + Number(read('minute')) * 60 + Number(read('second'));
  return {
    date: `${read('year')}-${read('month')}-${read('day')}`,
    secondsLeft: DAY_S - passed,
  };
}

/** Requests of one teacher on one day by the school's clock. All of them may be sent at the same time. */
export interface AiBudget {
  readonly perDay: number;
  readonly timeZone: string;
}

/**
 * Counts a request to the provider before it is sent.
 * @returns a function that gives it back, for when the provider has written nothing
 * @throws {Refusal} TOO_MANY_REQUESTS
 */
export async function spendAiRequest(
  client: Client,
  userId: string,
  { perDay, timeZone }: AiBudget,
  now: Date,
): Promise<() => Promise<void>> {
  const { date, secondsLeft } = schoolDayOf(now, timeZone);
  // The key names the day, and nothing drains before the day is over.
  const dayEnd = new Date((Math.floor(now.getTime() / 1_000) + secondsLeft) * 1_000);
  const bucket = {
    key: keyOf(`ai:${userId}:${date}`),
    limit: { atOnce: perDay, forgivenMs: 1_000 },
  };
  if ((await spend(client, bucket, dayEnd)) > 0)
    throw new Refusal('TOO_MANY_REQUESTS', {
      message: `Запросы к ИИ на сегодня закончились: в день их ${perDay}. Новые будут завтра, с 00:00 по времени школы. Вопросы можно составить вручную или подбором`,
      retryAfterSeconds: secondsLeft,
    });
  return () => giveBack(client, bucket);
}
