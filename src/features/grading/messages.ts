import type { GradingEntry, HeldOfAttempt } from '#contract/grading.ts';
import { isAnswered } from '#domain/answered.ts';
import { formatAtMoment, formatShortMoment } from '#domain/format-time.ts';
import { formatNumber, formatPoints, plural } from '#domain/format.ts';
import { PENDING_REVIEW_LABEL } from '#domain/labels-status.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { fieldProblems } from '#app/lib/field-problems.ts';

export interface When {
  now: number;
  timeZone: string;
}

/** «10:42» today, «21 мая, 10:42» else. */
export const formatMoment = (at: string, { now, timeZone }: When): string =>
  formatShortMoment(new Date(at), now, timeZone);

/** «в 10:43» today, «21 мая, 10:43» else. */
export const inMoment = (at: string, { now, timeZone }: When): string =>
  formatAtMoment(new Date(at), now, timeZone);

/** A refused change: messages for its fields and for the form. */
export interface Problem {
  readonly fields: ReadonlyMap<string, string>;
  readonly rest: string | null;
}

/** Messages of a failed save; `names` are the fields of the form. */
export function problemOf(error: unknown, names: readonly string[]): Problem {
  const problems = [...fieldProblems(error)];
  if (problems.length === 0) return { fields: new Map(), rest: describeFailure(error) };
  const others = problems.filter(([field]) => !names.includes(field));
  return {
    fields: new Map(problems.filter(([field]) => names.includes(field))),
    rest: others.map(([, message]) => message).join('. ') || null,
  };
}

/** The state of an answer's points: «На проверке», «По ключу 1 из 2», «Без ответа, 0 из 5», «Оценено 3 из 5». */
export function formatGrade({ answer, points, maxPoints, gradedBy }: GradingEntry): string {
  if (points === null) return PENDING_REVIEW_LABEL;
  const sum = `${formatNumber(points)} из ${formatNumber(maxPoints)}`;
  if (gradedBy === 'person') return `Оценено ${sum}`;
  return isAnswered(answer) ? `По ключу ${sum}` : `Без ответа, ${sum}`;
}

type HeldAnswer = HeldOfAttempt['answers'][number];

/** «Написано по часам устройства в 10:58, получено 11:40, срок был 11:30.», with further known details. */
export function formatHeldTime(
  { writtenAt, seenServerAt, receivedAt, afterResult }: HeldAnswer,
  deadline: string,
  when: When,
): string {
  const written =
    writtenAt === null
      ? 'Когда написано, неизвестно'
      : `Написано по часам устройства ${inMoment(writtenAt, when)}`;
  const unanswered =
    seenServerAt === null
      ? ''
      : ` До этого устройство слышало сервер ${inMoment(seenServerAt, when)}.`;
  const knowing = afterResult ? ' Результат к этому времени уже можно было увидеть.' : '';
  return `${written}, получено ${formatMoment(receivedAt, when)}, срок был ${formatMoment(deadline, when)}.${unanswered}${knowing}`;
}

export interface ClassChange {
  /** Number of attempts with a changed mark. */
  readonly changed: number;
  readonly all: number;
  /** If some answers of an attempt are decided already, this is an upper bound. */
  readonly isExact: boolean;
}

/** The marks of finished attempts that deciding all open answers would change. */
export function classChange(
  attempts: readonly HeldOfAttempt[],
  decision: 'accepted' | 'refused',
): ClassChange {
  const open = attempts.filter((each) => each.answers.some((answer) => answer.decision === null));
  const target = (each: HeldOfAttempt) =>
    decision === 'accepted' ? each.scoreIfAccepted : each.scoreIfRefused;
  return {
    changed: open.filter((each) => each.score !== null && target(each) !== each.score).length,
    all: open.length,
    isExact: open.every((each) => each.answers.every((answer) => answer.decision === null)),
  };
}

/** «Изменятся 12 из 28 оценок.» */
export function formatClassChange({ changed, all, isExact }: ClassChange): string {
  if (changed === 0) return 'Ни одна оценка не изменится.';
  const of = `${formatNumber(all)} ${plural(all, ['оценки', 'оценок', 'оценок'])}`;
  const most = isExact ? '' : 'не больше ';
  return `${plural(changed, ['Изменится', 'Изменятся', 'Изменятся'])} ${most}${formatNumber(changed)} из ${of}.`;
}

/** «Изменятся 12 из 28 работ», afterwards «Изменились …». */
export function rescoredMessage(changed: number, rescored: number, isDone: boolean): string {
  if (rescored === 0) return 'Законченных работ с этим вопросом пока нет.';
  if (changed === 0) {
    const verb = isDone ? 'изменился' : 'изменится';
    return `Проверено работ: ${formatNumber(rescored)}. Ни один балл не ${verb}.`;
  }
  const verb = isDone
    ? plural(changed, ['Изменилась', 'Изменились', 'Изменились'])
    : plural(changed, ['Изменится', 'Изменятся', 'Изменятся']);
  const of = `${formatNumber(rescored)} ${plural(rescored, ['работы', 'работ', 'работ'])}`;
  return `${verb} ${formatNumber(changed)} из ${of}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  finished: 'Работа сдана',
  closed: 'Закрыта сервером: время вышло',
  graded: 'Оценка преподавателя',
  'held:accepted': 'Поздние ответы приняты',
  'held:refused': 'Поздние ответы отклонены',
  timeAdded: 'Добавлено время',
  recovered: 'Восстановлено после сбоя',
  lateAnswer: 'Дошёл поздний ответ',
  keyCorrected: 'Исправлен ключ',
};

/** Why the mark of an attempt changed; an unknown rule is shown by its raw name. */
export const markReasonLabel = (reason: string): string => REASONS[reason] ?? reason;

/** «2 → 3 балла», «нет → 3 балла». */
export const formatChange = (oldPoints: number | null, newPoints: number | null): string =>
  `${oldPoints === null ? 'нет' : formatNumber(oldPoints)} → ${newPoints === null ? 'нет' : formatPoints(newPoints)}`;
