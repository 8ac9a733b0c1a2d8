import type { Credit } from '#contract/questions.ts';
import type { AttemptResult, ItemVerdict } from '#contract/results.ts';
import { formatNumber, formatPoints, plural, POINTS } from '#domain/format.ts';
import { formatMoment, formatShortMoment, type Zone } from '#domain/format-time.ts';
import { PENDING_REVIEW_LABEL } from '#domain/labels-status.ts';
import { formatPointsUpTo } from '#domain/labels-points.ts';

/** The headline of a result. Times in messages are in the school's zone. */
export type Headline =
  | { kind: 'none'; message: string }
  | {
      kind: 'score';
      label: 'Результат' | 'Предварительный результат';
      score: string;
      of: string;
      /** Points that may still be added; null when the mark is complete. */
      rest: string | null;
    };

interface When {
  now: number;
  timeZone: Zone;
}

const numbersOf = (numbers: readonly number[]) => numbers.map(String).join(', ');

/** «На проверке: вопрос 17», «На проверке: вопросы 3, 17»; null if none. */
export function pendingMessage({
  pendingNumbers,
}: Pick<AttemptResult, 'pendingNumbers'>): string | null {
  if (pendingNumbers.length === 0) return null;
  const noun = pendingNumbers.length === 1 ? 'вопрос' : 'вопросы';
  return `${PENDING_REVIEW_LABEL}: ${noun} ${numbersOf(pendingNumbers)}`;
}

function withoutScore(result: AttemptResult, { now, timeZone }: When): string {
  if (result.state === 0) return 'Попытка не начата.';
  if (result.state !== 2) return 'Попытка ещё идёт. Баллы появятся после неё.';
  if (result.end === null) {
    const until = formatShortMoment(new Date(result.countsUntil), now, timeZone);
    return `Баллы появятся, когда всё дойдёт до сервера. Ждём до ${until}.`;
  }
  return 'Баллы за этот тест сейчас не показываются. Когда их показать, решает преподаватель.';
}

/** The score, or why there is none yet. */
export function headlineOf(result: AttemptResult, when: When): Headline {
  if (result.score === null) return { kind: 'none', message: withoutScore(result, when) };
  const graded = result.gradedMaxScore ?? result.maxScore;
  const missing = Math.max(0, result.maxScore - graded);
  const score = formatNumber(result.score);
  if (missing === 0 && result.pendingNumbers.length === 0) {
    const noun = plural(result.maxScore, ['балла', 'баллов', 'баллов']);
    return {
      kind: 'score',
      label: 'Результат',
      score,
      of: `из ${formatNumber(result.maxScore)} ${noun}`,
      rest: null,
    };
  }
  const checked = plural(graded, [
    'проверенного балла',
    'проверенных баллов',
    'проверенных баллов',
  ]);
  return {
    kind: 'score',
    label: 'Предварительный результат',
    score,
    of: `из ${formatNumber(graded)} ${checked}`,
    rest: `Преподаватель может добавить ещё до ${formatNumber(missing)} ${plural(missing, ['балла', 'баллов', 'баллов'])}. Всего за тест ${formatNumber(result.maxScore)}.`,
  };
}

/** «с 22 мая, 18:00», «сегодня с 18:00», «уже доступны», «не показываются». */
export function correctAnswersMessage(from: string | null, { now, timeZone }: When): string {
  if (from === null) return 'не показываются';
  const at = new Date(from);
  if (at.getTime() <= now) return 'уже доступны';
  const moment = formatMoment(at, now, timeZone);
  return moment.startsWith('сегодня') ? moment.replace(', ', ' с ') : `с ${moment}`;
}

const VERDICTS: Readonly<Record<ItemVerdict, string>> = {
  right: 'Верно',
  partial: 'Частично верно',
  wrong: 'Неверно',
  unanswered: 'Без ответа',
  pending: PENDING_REVIEW_LABEL,
};

export const verdictLabel = (verdict: ItemVerdict): string => VERDICTS[verdict];

/** Points of one question: «1,5 из 2», «до 4 баллов» while ungraded, or how it was credited. */
export function itemPoints(points: number | null, maxPoints: number, credit?: Credit): string {
  if (credit === 'nobody') return 'не учитывается';
  if (credit === 'everybody')
    return `${formatNumber(maxPoints)} из ${formatNumber(maxPoints)}, засчитано всем`;
  if (points !== null) return `${formatNumber(points)} из ${formatNumber(maxPoints)}`;
  return formatPointsUpTo(maxPoints);
}

/** Lateness notes for the teacher; empty for an attempt received completely and in time. */
export function latenessMessage(
  result: Pick<AttemptResult, 'receivedLate' | 'held' | 'scoreWithoutLate'>,
): string[] {
  const notes: string[] = [];
  if (result.receivedLate > 0) {
    const noun = plural(result.receivedLate, ['ответ дошёл', 'ответа дошли', 'ответов дошли']);
    notes.push(
      `${formatNumber(result.receivedLate)} ${noun} после срока и ${plural(result.receivedLate, ['засчитан', 'засчитаны', 'засчитаны'])}.`,
    );
  }
  if (result.scoreWithoutLate !== null) {
    notes.push(`Без поздних ответов: ${formatPoints(result.scoreWithoutLate)}.`);
  }
  if (result.held > 0) {
    const noun = plural(result.held, ['ответ ждёт', 'ответа ждут', 'ответов ждут']);
    notes.push(
      `${formatNumber(result.held)} ${noun} решения преподавателя и пока не ${plural(result.held, ['засчитан', 'засчитаны', 'засчитаны'])}.`,
    );
  }
  return notes;
}

/** «29 из 40 баллов». */
export const scoreInList = (score: number, maxScore: number): string =>
  `${formatNumber(score)} из ${formatNumber(maxScore)} ${plural(maxScore, [POINTS[1], POINTS[2], POINTS[2]])}`;
