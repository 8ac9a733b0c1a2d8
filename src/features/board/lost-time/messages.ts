import { formatCount, STUDENTS, TO_STUDENTS } from '#domain/format.ts';
import { describeLoss, formatMinutesEach } from '#domain/labels-lost-time.ts';
import { STUDENTS_GENITIVE } from '#app/features/board/messages.ts';
import { asPeriods, minutesOf, type LostRow } from './rules.ts';

/** What took the time: a server that was away is the school's fault, a change of device may be nobody's. */
function nameLoss(lost: readonly LostRow[]): string {
  const causes = new Set(lost.flatMap((row) => row.lost.causes.map(({ cause }) => cause)));
  const hasFault = causes.has('outage') || causes.has('lateStart');
  if (!causes.has('takeOver')) return 'Сбой школы отнял';
  return hasFault ? 'Сбой школы или смена устройства отняли' : 'Смена устройства отняла';
}

/** «Сбой школы отнял время у 12 учеников»; without a loss: who was silent. Empty: nobody. */
export function lostTimeMessage(lost: readonly LostRow[], silent: readonly LostRow[]): string {
  if (lost.length > 0)
    return `${nameLoss(lost)} время у ${formatCount(lost.length, STUDENTS_GENITIVE)}`;
  return silent.length > 0
    ? `Больше минуты без связи: ${formatCount(silent.length, STUDENTS)}`
    : '';
}

/** «по 7 минут 12 ученикам». */
export const giveBackMessage = (rows: readonly LostRow[], withSilence: boolean): string =>
  `${formatMinutesEach(rows.map((row) => minutesOf(row, withSilence)))} ${formatCount(rows.length, TO_STUDENTS)}`;

/** Why a student lost time, as a sentence. */
export function lossReasons(
  { lost }: LostRow,
  withSilence: boolean,
  now: number,
  timeZone: string,
): string {
  const causes = lost.causes
    .filter(({ cause }) => withSilence || cause !== 'silence')
    .map(({ cause, periods }) =>
      describeLoss({ cause, periods: asPeriods(periods) }, now, timeZone),
    );
  const sentence = causes.join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
