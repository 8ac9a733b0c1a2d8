import { answerFiles } from '#domain/answer-files.ts';
import {
  formatAtMoment,
  formatRemaining,
  formatShortMoment,
  type Zone,
} from '#domain/format-time.ts';
import { ANSWERS, formatCount, formatSize, plural, QUESTIONS } from '#domain/format.ts';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';

/* Of the dialogs of a test and of the page after it, which load after its first question. */

const FILES = ['файл', 'файла', 'файлов'] as const;

/** «Есть ответ: 10 из 20. Отмечен: 1» */
export function formatProgress({ counts }: AttemptView): string {
  const answered = `Есть ответ: ${counts.answered} из ${counts.total}`;
  if (counts.marked === 0) return answered;
  return `${answered}. ${plural(counts.marked, ['Отмечен', 'Отмечено', 'Отмечено'])}: ${counts.marked}`;
}

/** «Без ответа: 2 вопроса» */
export const unansweredLabel = (count: number): string =>
  `Без ответа: ${formatCount(count, QUESTIONS)}`;

/** «Отмечен: 1 вопрос» */
export const markedLabel = (count: number): string =>
  `${plural(count, ['Отмечен', 'Отмечено', 'Отмечено'])}: ${formatCount(count, QUESTIONS)}`;

/** «Ещё на устройстве: 3 ответа» */
export const unsentLabel = (count: number): string =>
  `Ещё на устройстве: ${formatCount(count, ANSWERS)}`;

/** «Вопрос 5», «Вопросы 5, 17, 19». */
export function formatNumbers(numbers: readonly number[]): string {
  return `${plural(numbers.length, ['Вопрос', 'Вопросы', 'Вопросы'])} ${numbers.join(', ')}`;
}

/** The text above the buttons of the finish modal. */
export function finishTimeMessage(remainingMs: number): string {
  if (remainingMs <= 0) return 'После завершения изменить ответы нельзя.';
  return `Осталось ${formatRemaining(remainingMs)}. После завершения изменить ответы нельзя.`;
}

/** An unsent answer: «Вопрос 17 · файл, 2,4 МБ», «Вопрос 18 · 3 файла, 7 МБ», «Вопрос 19 · ответ». */
export function describeUnsent(number: number, { answer }: QuestionView): string {
  const files = answerFiles(answer);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const what = files.length < 2 ? 'файл' : formatCount(files.length, FILES);
  return `Вопрос ${number} · ${files.length === 0 ? 'ответ' : `${what}, ${formatSize(bytes)}`}`;
}

/** «Сервер не принял: 1 ответ» */
export const refusedLabel = (count: number): string =>
  `Сервер не принял: ${formatCount(count, ANSWERS)}`;

/** Shown when an answer is only in memory: a closed page would lose it. */
export const NOT_STORED =
  'Не всё удалось записать на устройство: не закрывайте страницу, пока ответы не уйдут на сервер.';

/** The text under «Не закрывайте…» after the finish. */
export function pendingMessage({ begin, counts }: AttemptView, signedIn: boolean): string {
  if (counts.unsaved > 0) return `Тест завершён. ${NOT_STORED}`;
  if (begin?.state === 'refused') return 'Тест завершён, но его начало не принято.';
  return `Тест завершён. Ответы в безопасности и уйдут сами, когда ${signedIn ? 'появится сеть' : 'вы войдёте'}.`;
}

/** Until when unsent answers still count, and what happens after that; empty: their begin was refused. */
export function latenessMessage(view: AttemptView, now: number, timeZone: Zone): string {
  const begin = view.begin?.state;
  if (begin === 'refused') return '';
  const isStored = view.counts.unsaved === 0;
  if (view.state === 'finished')
    return `Эти ответы ${isStored ? 'сохранены здесь и ' : ''}дойдут после завершения: преподаватель увидит их и решит.`;
  const stay = isStored ? 'Закроете раньше: ответы останутся здесь. ' : '';
  if (begin === 'held')
    return `${stay}Дойдут, когда появится сеть: преподаватель увидит их и решит.`;
  const until = formatShortMoment(view.countsUntil, now, timeZone);
  if (now >= view.countsUntil)
    return `Срок приёма прошёл ${formatAtMoment(view.countsUntil, now, timeZone)}. Ответы ${isStored ? 'сохранены и ' : ''}дойдут, когда появится сеть: преподаватель увидит их и решит.`;
  return begin === 'waiting'
    ? `${stay}Если начало примут, засчитаются ответы, которые дойдут до ${until}. Позже их увидит преподаватель и решит.`
    : `${stay}Дойдут до ${until}: засчитаются. Позже их увидит преподаватель и решит.`;
}
