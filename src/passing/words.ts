import { formatClock, formatRemaining, formatShortMoment } from '#domain/format-time.ts';
import {
  ANSWERS,
  formatCount,
  formatPoints,
  formatSize,
  plural,
  QUESTIONS,
} from '#domain/format.ts';
import { isGradedByHand } from './hand-graded.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';

/** «2 балла»; «до 4 баллов» where a person grades. */
export function pointsWords(question: StudentQuestion): string {
  if (!isGradedByHand(question)) return formatPoints(question.points);
  const forms = ['балла', 'баллов', 'баллов'] as const;
  return `до ${formatCount(question.points, forms)}`;
}

/** «Есть ответ: 10 из 20. Отмечен: 1» */
export function progressWords({ counts }: AttemptView): string {
  const answered = `Есть ответ: ${counts.answered} из ${counts.total}`;
  if (counts.marked === 0) return answered;
  return `${answered}. ${plural(counts.marked, ['Отмечен', 'Отмечено', 'Отмечено'])}: ${counts.marked}`;
}

/** «Без ответа: 2 вопроса» */
export const unansweredWords = (count: number): string =>
  `Без ответа: ${formatCount(count, QUESTIONS)}`;

/** «Отмечен: 1 вопрос» */
export const markedWords = (count: number): string =>
  `${plural(count, ['Отмечен', 'Отмечено', 'Отмечено'])}: ${formatCount(count, QUESTIONS)}`;

/** «Ещё на устройстве: 3 ответа» */
export const unsentWords = (count: number): string =>
  `Ещё на устройстве: ${formatCount(count, ANSWERS)}`;

/** «Вопрос 5», «Вопросы 5, 17, 19». */
export function numbersWords(numbers: readonly number[]): string {
  return `${plural(numbers.length, ['Вопрос', 'Вопросы', 'Вопросы'])} ${numbers.join(', ')}`;
}

/** The line above the buttons of the finish dialog. */
export function finishTimeWords(remainingMs: number): string {
  if (remainingMs <= 0) return 'После завершения изменить ответы нельзя.';
  return `Осталось ${formatRemaining(remainingMs)}. После завершения изменить ответы нельзя.`;
}

/** What waits of one question: «Вопрос 17 · файл, 2,4 МБ», «Вопрос 19 · ответ». */
export function waitingWords(number: number, { answer }: QuestionView): string {
  const what = answer?.kind === 'file' ? `файл, ${formatSize(answer.size)}` : 'ответ';
  return `Вопрос ${number} · ${what}`;
}

/** Until when what lies here still counts, and what comes after it. */
export function latenessWords(view: AttemptView, now: number, timeZone: string): string {
  if (view.state === 'finished')
    return 'Эти ответы сохранены здесь и дойдут после завершения: преподаватель увидит их и решит.';
  const until = formatShortMoment(view.countsUntil, now, timeZone);
  return now < view.countsUntil
    ? `Закроете раньше: ответы останутся здесь. Дойдут до ${until}: засчитаются. Позже их увидит преподаватель и решит.`
    : `Срок приёма прошёл в ${until}. Ответы сохранены и дойдут, когда появится сеть: преподаватель увидит их и решит.`;
}

/** What becomes of this device's answers after another one took the attempt over. */
export function takenOverWords(view: AttemptView, now: number, timeZone: string): string {
  const { waiting } = view.counts;
  if (waiting === 0) return `Неотправленных ответов здесь нет.${heldWords(view)}`;
  const lie = `${formatCount(waiting, ANSWERS)} ещё только на этом устройстве: ${plural(waiting, [
    'он уйдёт сам, когда будет связь, и засчитается, если там на этот вопрос не ответили.',
    'они уйдут сами, когда будет связь, и засчитаются там, где нет другого ответа.',
    'они уйдут сами, когда будет связь, и засчитаются там, где нет другого ответа.',
  ])}${heldWords(view)}`;
  if (now >= view.countsUntil) {
    return `${lie} Срок приёма прошёл: решит преподаватель.`;
  }
  const until = formatShortMoment(view.countsUntil, now, timeZone);
  return `${lie} Что дойдёт после завершения теста или позже ${until}, увидит преподаватель и решит.`;
}

/** « 1 ответ дошёл поздно и ждёт решения преподавателя.», or nothing. */
function heldWords({ answers }: AttemptView): string {
  const held = answers.filter(({ stage }) => stage === 'held').length;
  if (held === 0) return '';
  const what = plural(held, ['дошёл поздно и ждёт', 'дошли поздно и ждут', 'дошли поздно и ждут']);
  return ` ${formatCount(held, ANSWERS)} ${what} решения преподавателя.`;
}

/** «Время вышло в 11:07.» with what lies on the device. */
export function timeOverWords(view: AttemptView, timeZone: string): { head: string; rest: string } {
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
export const endsByItselfWords = (view: AttemptView, timeZone: string): string =>
  `В ${formatClock(view.deadline, timeZone)} тест завершится сам.`;

/** The same with what comes of answers that are on their way then. */
export function lastMinuteWords(view: AttemptView, timeZone: string): string {
  return `${endsByItselfWords(view, timeZone)} Ответы, данные раньше, засчитаем, даже если сеть вернётся позже.`;
}

/** The sentence under «Можно закрывать». */
export function deliveredWords(view: AttemptView, timeZone: string): string {
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
  return `${finished} ${plural(view.counts.answered, ['На сервере', 'Все', 'Все'])} ${all}${plural(view.counts.answered, ['', ' на сервере', ' на сервере'])}${last}.`;
}
