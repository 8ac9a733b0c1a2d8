import { formatAtMoment, type Zone } from './format-time.ts';
import { formatPeriods } from './labels-lost-time.ts';
import type { Silence } from './silence.ts';

const CLOCK_SET = 'часы переводили или устройство перезапускали';

/**
 * What the journal shows of a device: «молчало с 10:02 до 11:45, часы не переводили». The device reports it itself: it
 * proves nothing about what its student did, and no screen may claim that it does.
 */
export function describeSilence(
  { periods, isAgeUnknown }: Silence,
  now: number,
  zone: Zone,
): string {
  if (periods.length === 0) return isAgeUnknown ? CLOCK_SET : 'перерывов связи по журналу не видно';
  const clock = isAgeUnknown ? CLOCK_SET : 'часы не переводили';
  return `молчало ${formatPeriods(periods, now, zone)}, ${clock}`;
}

/** When a begin without a network was reported; times are milliseconds since 1970. */
export interface BeginReport {
  readonly receivedAt: number;
  readonly seenServerAt: number | null;
  readonly isAgeUnknown: boolean;
}

/** «О начале устройство сообщило в 11:45; до этого оно было на связи в 09:58. Часы не переводили.» */
export function describeBegin(
  { receivedAt, seenServerAt, isAgeUnknown }: BeginReport,
  now: number,
  zone: Zone,
): string {
  const moment = (at: number) => formatAtMoment(at, now, zone);
  const seen =
    seenServerAt === null
      ? 'была ли связь до этого, неизвестно'
      : `до этого оно было на связи ${moment(seenServerAt)}`;
  const clock = isAgeUnknown
    ? 'Часы переводили или устройство перезапускали: взято самое раннее возможное начало.'
    : 'Часы не переводили.';
  return `О начале устройство сообщило ${moment(receivedAt)}; ${seen}. ${clock}`;
}
