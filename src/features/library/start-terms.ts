import type { TestDetails } from '#contract/tests.ts';
import { formatMoment, type Zone } from '#domain/format-time.ts';

/** Whether a test can be started now, and if not, the reason. */
export type StartTerms =
  | { kind: 'start' }
  | { kind: 'continue' }
  | { kind: 'closed'; message: string };

type Facts = Pick<TestDetails, 'status' | 'running' | 'startDate' | 'endDate' | 'leftAttempts'>;

/** The start terms from the overview's data; the server checks them again. `now` in milliseconds. */
export function startTerms(test: Facts, now: number, timeZone: Zone): StartTerms {
  const at = (iso: string) => formatMoment(new Date(iso), now, timeZone);
  const closed = (message: string): StartTerms => ({ kind: 'closed', message });
  if (test.running) return { kind: 'continue' };
  switch (test.status) {
    case 'draft':
      return closed('Это черновик. Пройти его можно после публикации.');
    case 'active':
      return closed('Вы управляете этим тестом. Проходят его те, кому он назначен.');
    case 'archived':
      return closed('Тест в архиве. Пройти его нельзя.');
    default:
  }
  if (test.startDate !== null && now < Date.parse(test.startDate)) {
    return closed(`Тест откроется ${at(test.startDate)}.`);
  }
  if (test.status === 'scheduled') return closed('Тест ещё не открыт.');
  if (test.endDate !== null && now >= Date.parse(test.endDate)) {
    return closed(`Тест закрылся ${at(test.endDate)}.`);
  }
  if (test.leftAttempts <= 0) return closed('Попыток больше не осталось.');
  if (test.status === 'closed' || test.status === 'overdue') return closed('Тест закрыт.');
  return { kind: 'start' };
}

/** Whether the server makes an offer of this test, which begins without a network: it can be started now or once it opens. */
export function mayBeginOffline(
  test: Facts & Pick<TestDetails, 'offlineStart'>,
  now: number,
  timeZone: Zone,
): boolean {
  if (test.offlineStart !== true) return false;
  const status = test.status === 'scheduled' ? 'available' : test.status;
  const opening = test.startDate === null ? now : Math.max(now, Date.parse(test.startDate));
  return startTerms({ ...test, status }, opening, timeZone).kind === 'start';
}
