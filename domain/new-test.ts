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

/** The same day of the next month, or its last one: 31 January leads to 28 February. */
function monthLater(at: Date): Date {
  const later = new Date(at);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + 1);
  const lastDay = new Date(
    Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0),
  ).getUTCDate();
  later.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return later;
}

/** The default new test: it opens now and ends one month from now. */
export function newTestPayload(now: Date): NewTestPayload {
  return {
    name: 'Новый тест',
    description: '',
    theme: '',
    difficulty: '',
    attemptsCount: 1,
    startTestTime: now.toISOString(),
    endTestTime: monthLater(now).toISOString(),
    passTestTime: '10:00:00',
    maxPoints: 0,
  };
}
