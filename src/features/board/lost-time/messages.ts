import { formatCount, STUDENTS, TO_STUDENTS } from '#domain/format.ts';
import { describeLoss, formatMinutesEach } from '#domain/labels-lost-time.ts';
import { STUDENTS_GENITIVE } from '#app/features/board/messages.ts';
import { asPeriods, minutesOf, type LostRow } from './rules.ts';

/** «Сбой школы отнял время у 12 учеников»; without a fault: who was silent. Empty: nobody. */
export function lostTimeMessage(lost: readonly LostRow[], silent: readonly LostRow[]): string {
  if (lost.length > 0)
    return `Сбой школы отнял время у ${formatCount(lost.length, STUDENTS_GENITIVE)}`;
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
