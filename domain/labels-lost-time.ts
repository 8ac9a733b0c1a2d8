import type { LossCause } from '#contract/lost-time.ts';
import { formatCount, plural, type Forms } from './format.ts';
import { formatShortMoment, type Zone } from './format-time.ts';
import type { Period } from './periods.ts';

/** Why time was lost, without its moments. */
export const LOSS_LABELS: Readonly<Record<LossCause, string>> = {
  outage: 'не работал сервер',
  lateStart: 'не работал сервер до начала, а тест закрывается',
  takeOver: 'сменилось устройство',
  silence: 'не было связи',
};

export const isLossCause = (text: string): text is LossCause => Object.hasOwn(LOSS_LABELS, text);

const TIMES: Forms = ['раз', 'раза', 'раз'];
/** Of more periods only the number is shown. */
const SHOWN = 3;

/** «с 10:02 до 11:45, с 11:50 до 11:52 и ещё 4 раза». */
export function formatPeriods(periods: readonly Period[], now: number, zone: Zone): string {
  const shown = periods.slice(0, SHOWN).map(({ from, to }) => {
    const begin = formatShortMoment(from, now, zone);
    return `с ${begin} до ${formatShortMoment(to, now, zone)}`;
  });
  const rest = periods.length - SHOWN;
  return rest > 0 ? `${shown.join(', ')} и ещё ${formatCount(rest, TIMES)}` : shown.join(', ');
}

/** «не работал сервер с 10:02 до 10:09». */
export const describeLoss = (
  { cause, periods }: { readonly cause: LossCause; readonly periods: readonly Period[] },
  now: number,
  zone: Zone,
): string => {
  const when = formatPeriods(periods, now, zone);
  return cause === 'lateStart'
    ? `не работал сервер ${when}, поэтому начало позже, а тест закрывается`
    : `${LOSS_LABELS[cause]} ${when}`;
};

/** With «по»: «по 1 минуте», «по 7 минут». */
const EACH: Forms = ['минуте', 'минуты', 'минут'];
/** With «до»: «до 21 минуты», «до 7 минут». */
const UP_TO: Forms = ['минуты', 'минут', 'минут'];

/** «по 7 минут», «от 3 до 7 минут». */
export function formatMinutesEach(minutes: readonly number[]): string {
  const [least, most] = [Math.min(...minutes), Math.max(...minutes)];
  return least === most
    ? `по ${formatCount(most, EACH)}`
    : `от ${least} до ${most} ${plural(most, UP_TO)}`;
}
