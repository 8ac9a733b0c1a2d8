import { formatClock, formatShortMoment, type Zone } from '#domain/format-time.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { isPending, type FilePick } from '#app/questions/file/file-picks.ts';

/** Whether this device has answers that the server has not, refused ones included. */
export const hasUnsent = ({ counts }: Pick<AttemptView, 'counts'>): boolean =>
  counts.waiting > 0 || counts.setAside > 0 || counts.unsaved > 0;

/** Whether the answers count by themselves: those of a begin without a network only once it is accepted. */
export const isCounted = ({ begin }: AttemptView): boolean =>
  begin === null || begin.state === 'accepted';

/** « Сервер не принял 1 ответ: он остаётся на этом устройстве.», or an empty string. */
function refusedMessage({ counts: { setAside } }: AttemptView): string {
  if (setAside === 0) return '';
  const where = plural(setAside, ['он остаётся', 'они остаются', 'они остаются']);
  return ` Сервер не принял ${formatCount(setAside, ANSWERS)}: ${where} на этом устройстве, покажите преподавателю.`;
}

/** What happens to the unsent answers after another device took the attempt over. */
export function takeoverMessage(view: AttemptView, now: number, timeZone: Zone): string {
  const { waiting } = view.counts;
  if (waiting === 0 && view.counts.setAside > 0)
    return `${refusedMessage(view)}${heldMessage(view)}`.trim();
  if (waiting === 0) return `Неотправленных ответов здесь нет.${heldMessage(view)}`;
  const lie = `${formatCount(waiting, ANSWERS)} ещё только на этом устройстве: ${plural(waiting, [
    'он уйдёт сам, когда будет связь, и засчитается, если там на этот вопрос не ответили.',
    'они уйдут сами, когда будет связь, и засчитаются там, где нет другого ответа.',
    'они уйдут сами, когда будет связь, и засчитаются там, где нет другого ответа.',
  ])}${heldMessage(view)}`;
  if (now >= view.countsUntil) {
    return `${lie} Срок приёма прошёл: решит преподаватель.`;
  }
  const until = formatShortMoment(view.countsUntil, now, timeZone);
  return `${lie} Что дойдёт после завершения теста или позже ${until}, увидит преподаватель и решит.`;
}

/** « 1 ответ дошёл поздно и ждёт решения преподавателя.», or an empty string. */
function heldMessage({ answers }: AttemptView): string {
  const held = answers.filter(({ stage }) => stage === 'held').length;
  if (held === 0) return '';
  const what = plural(held, ['дошёл поздно и ждёт', 'дошли поздно и ждут', 'дошли поздно и ждут']);
  return ` ${formatCount(held, ANSWERS)} ${what} решения преподавателя.`;
}

/** «Время вышло в 11:07.» with the count of unsent answers. */
export function timeOverMessage(view: AttemptView, timeZone: Zone): { head: string; rest: string } {
  const { waiting } = view.counts;
  const head = `Время вышло в ${formatClock(view.deadline, timeZone)}.`;
  if (waiting === 0) return { head, rest: 'Ответы закрыты для правки.' };
  const lie = formatCount(waiting, ANSWERS);
  return {
    head,
    rest: `Ответы закрыты для правки. ${lie} ещё на этом устройстве: не закрывайте приложение, пока не вернётся сеть.`,
  };
}

/** «В 11:07 тест завершится сам.» */
export const endsByItselfMessage = (view: AttemptView, timeZone: Zone): string =>
  `В ${formatClock(view.deadline, timeZone)} тест завершится сам.`;

/** The same, with what happens to answers being sent at that time, if they count by themselves. */
export function lastMinuteMessage(view: AttemptView, timeZone: Zone): string {
  if (!isCounted(view)) return endsByItselfMessage(view, timeZone);
  return `${endsByItselfMessage(view, timeZone)} Ответы, данные раньше, засчитаем, даже если сеть вернётся позже.`;
}

/** The text under «Можно закрывать». */
export function deliveredMessage(view: AttemptView, timeZone: Zone): string {
  const all = formatCount(view.counts.answered, ANSWERS);
  const times = view.answers.flatMap(({ stage, at }) =>
    stage === 'server' && at !== null ? [at] : [],
  );
  const last =
    times.length === 0 ? '' : `, последний дошёл в ${formatClock(Math.max(...times), timeZone)}`;
  const finished =
    view.finishedAt === null
      ? 'Тест завершён.'
      : `Завершение дошло до сервера в ${formatClock(view.finishedAt, timeZone)}.`;
  if (view.counts.answered === 0) return `${finished} Ответов нет.`;
  if (view.counts.setAside > 0) {
    const there = view.answers.filter(({ stage }) => stage === 'server' || stage === 'held').length;
    return `${finished} На сервере ${formatCount(there, ANSWERS)}${last}.${refusedMessage(view)}`;
  }
  return `${finished} ${plural(view.counts.answered, ['На сервере', 'Все', 'Все'])} ${all}${plural(view.counts.answered, ['', ' на сервере', ' на сервере'])}${last}.`;
}

/** ««фото.jpg» (вопрос 3), «чертёж.pdf» (вопрос 5)» */
function formatPicks(picks: readonly FilePick[], { answers }: AttemptView): string {
  return picks
    .map(({ name, questionId }) => {
      const number = answers.findIndex((one) => one.questionId === questionId) + 1;
      return `«${name}» (вопрос ${number})`;
    })
    .join(', ');
}

/** «Читаем файл «фото.jpg» (вопрос 3).», or an empty string. */
export function readingMessage(picks: readonly FilePick[], view: AttemptView): string {
  const reading = picks.filter(isPending);
  if (reading.length === 0) return '';
  return `${plural(reading.length, ['Ещё читается файл', 'Ещё читаются файлы', 'Ещё читаются файлы'])} ${formatPicks(reading, view)}.`;
}

/** «Не сдан файл «фото.jpg» (вопрос 3).», or an empty string. */
export function missedMessage(picks: readonly FilePick[], view: AttemptView): string {
  const missed = picks.filter((pick) => !isPending(pick));
  if (missed.length === 0) return '';
  return `${plural(missed.length, ['Не сдан файл', 'Не сданы файлы', 'Не сданы файлы'])} ${formatPicks(missed, view)}.`;
}
