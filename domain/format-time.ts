import { NBSP, plural, type Forms } from './format.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const HOURS: Forms = ['час', 'часа', 'часов'];
const MINUTES: Forms = ['минута', 'минуты', 'минут'];
const SECONDS: Forms = ['секунда', 'секунды', 'секунд'];

const pad = (value: number) => String(value).padStart(2, '0');

/** Time left in milliseconds as `24:51`, `9:14` or `1:05:20`; a started second counts whole. */
export function formatRemaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A duration in milliseconds: «40 минут», «1 час», «1 ч 30 мин», «45 секунд». */
export function formatDuration(ms: number): string {
  if (ms < MINUTE) {
    const seconds = Math.max(0, Math.round(ms / SECOND));
    return `${seconds} ${plural(seconds, SECONDS)}`;
  }
  const total = Math.round(ms / MINUTE);
  const hours = Math.floor(total / 60);
  const minutes = total % 60;
  if (hours === 0) return `${minutes} ${plural(minutes, MINUTES)}`;
  if (minutes === 0) return `${hours} ${plural(hours, HOURS)}`;
  return `${hours}${NBSP}ч ${minutes}${NBSP}мин`;
}

/** Elapsed or remaining time, whole units rounded down: «40 с», «6 мин», «2 ч», «3 дня». */
export function formatElapsed(ms: number): string {
  const passed = Math.max(0, ms);
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)}${NBSP}с`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}${NBSP}мин`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)}${NBSP}ч`;
  const days = Math.floor(passed / DAY);
  return `${days}${NBSP}${plural(days, ['день', 'дня', 'дней'])}`;
}

/** A moment: milliseconds since 1970 or a Date. */
export type Instant = number | Date;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('ru-RU', {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, made);
  return made;
}

/** Whether this browser or server knows the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

interface Parts {
  year: string;
  date: string;
  clock: string;
  seconds: string;
}

function partsOf(at: Instant, timeZone: string): Parts {
  const values: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterFor(timeZone).formatToParts(at)) values[type] = value;
  return {
    year: values.year ?? '',
    date: `${values.day ?? ''} ${values.month ?? ''}`,
    clock: `${values.hour ?? ''}:${values.minute ?? ''}`,
    seconds: values.second ?? '',
  };
}

/** The school's time zone, for a reader in another zone: clock times then name the school's zone. */
export interface NamedZone {
  readonly timeZone: string;
  readonly ownZone: string;
}

/** The IANA name of a time zone, or a zone that is named if the reader's own differs. */
export type Zone = string | NamedZone;

const nameOf = (zone: Zone) => (typeof zone === 'string' ? zone : zone.timeZone);

/** Cities after «по», by the last part of an IANA name. */
const BY_CITY: Readonly<Record<string, string>> = {
  Kaliningrad: 'Калининграду',
  Moscow: 'Москве',
  Simferopol: 'Симферополю',
  Volgograd: 'Волгограду',
  Saratov: 'Саратову',
  Samara: 'Самаре',
  Yekaterinburg: 'Екатеринбургу',
  Omsk: 'Омску',
  Novosibirsk: 'Новосибирску',
  Tomsk: 'Томску',
  Barnaul: 'Барнаулу',
  Krasnoyarsk: 'Красноярску',
  Irkutsk: 'Иркутску',
  Chita: 'Чите',
  Yakutsk: 'Якутску',
  Vladivostok: 'Владивостоку',
  Sakhalin: 'Сахалину',
  Magadan: 'Магадану',
  Kamchatka: 'Камчатке',
};

/** «UTC+3», «UTC−3:30» */
function offsetName(at: Instant, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    timeZoneName: 'shortOffset',
  }).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', 'UTC').replace('-', '−');
}

/** « по Москве» or « UTC+3» if the reader's clock shows another time, else empty. */
function zoneSuffix(at: Instant, zone: Zone): string {
  if (typeof zone === 'string') return '';
  const { timeZone, ownZone } = zone;
  const [there, here] = [partsOf(at, timeZone), partsOf(at, ownZone)];
  if (there.clock === here.clock && there.date === here.date) return '';
  const city = BY_CITY[timeZone.slice(timeZone.lastIndexOf('/') + 1)];
  return city === undefined ? ` ${offsetName(at, timeZone)}` : ` по ${city}`;
}

/** Whether the day is the same at the school and for the reader, so that «сегодня» is unambiguous. */
const isOneToday = (now: Instant, zone: Zone) =>
  typeof zone === 'string' || partsOf(now, zone.timeZone).date === partsOf(now, zone.ownZone).date;

/**
 * The time of day in a time zone: «10:42», «10:42 по Москве».
 * All time functions here throw a RangeError for an unknown time zone or an invalid date.
 */
export function formatClock(at: Instant, zone: Zone): string {
  return partsOf(at, nameOf(zone)).clock + zoneSuffix(at, zone);
}

/** The time of day with seconds, «10:49:12». */
export function formatClockSeconds(at: Instant, timeZone: string): string {
  const parts = partsOf(at, timeZone);
  return `${parts.clock}:${parts.seconds}`;
}

/** «сегодня, 10:42», «21 мая, 10:42 по Москве», of another year «21 мая 2027». */
export function formatMoment(at: Instant, now: Instant, zone: Zone): string {
  const { year } = partsOf(at, nameOf(zone));
  const day = formatDay(at, now, zone);
  return year === partsOf(now, nameOf(zone)).year ? `${day}, ${formatClock(at, zone)}` : day;
}

/** A day: «сегодня», «21 мая», of another year «21 мая 2027». */
export function formatDay(at: Instant, now: Instant, zone: Zone): string {
  const parts = partsOf(at, nameOf(zone));
  const today = partsOf(now, nameOf(zone));
  if (parts.year !== today.year) return `${parts.date} ${parts.year}`;
  return parts.date === today.date && isOneToday(now, zone) ? 'сегодня' : parts.date;
}

/** Only the time for today, else with the day: «10:42», «21 мая, 10:42». */
export function formatShortMoment(at: Instant, now: Instant, zone: Zone): string {
  const day = formatDay(at, now, zone);
  return day === 'сегодня' ? formatClock(at, zone) : formatMoment(at, now, zone);
}

/** «в 10:42» today, «21 мая, 10:42» else: a day takes no «в». */
export function formatAtMoment(at: Instant, now: Instant, zone: Zone): string {
  const moment = formatShortMoment(at, now, zone);
  return moment === formatClock(at, zone) ? `в ${moment}` : moment;
}
