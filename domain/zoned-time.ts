const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, made);
  return made;
}

/** A moment as a clock in a time zone shows it: `YYYY-MM-DDTHH:mm`. */
export function toZonedInput(at: number | Date, timeZone: string): string {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterFor(timeZone).formatToParts(at)) parts[type] = value;
  const year = (parts.year ?? '').padStart(4, '0');
  return `${year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

const SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

const wallOf = (text: string) => Date.parse(`${text}:00.000Z`);

/**
 * The moment that a clock in a time zone shows as `YYYY-MM-DDTHH:mm`, milliseconds; null for an invalid text. A
 * time skipped by the change to summer time is the one an hour later.
 */
export function fromZonedInput(text: string, timeZone: string): number | null {
  if (!SHAPE.test(text)) return null;
  const wall = wallOf(text);
  if (Number.isNaN(wall)) return null;
  const offsetAt = (at: number) => wallOf(toZonedInput(at, timeZone)) - at;
  // An offset is exact only at its own moment: the second step corrects times near a change.
  const guess = wall - offsetAt(wall);
  return wall - offsetAt(guess);
}

/** «Москва, стандартное время (UTC+3)»: the zone in which times are set and shown. */
export function zoneLabel(at: number | Date, timeZone: string): string {
  const name = (timeZoneName: 'longGeneric' | 'shortOffset') =>
    new Intl.DateTimeFormat('ru-RU', { timeZone, timeZoneName })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = name('shortOffset').replace('GMT', 'UTC').replace('-', '−');
  const place = name('longGeneric').replace(/, стандартное время$/, '');
  return place.startsWith('GMT') ? offset : `${place}, ${offset}`;
}
