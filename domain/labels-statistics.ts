import { formatCount, formatNumber, formatPercent, formatPoints, type Forms } from './format.ts';
import { formatDuration } from './format-time.ts';
import { alphaReading, FEWEST_ATTEMPTS } from './statistics.ts';

/** Title of the error state of the statistics (specification, section 8). */
export const EMPTY_STATISTICS_TITLE = 'Статистика по тесту пуста';

type ItemVerdict = 'works' | 'tooEasy' | 'tooHard' | 'weak' | 'checkKey' | 'tooFew' | 'unscored';

const READINGS: Readonly<Record<ItemVerdict, readonly [label: string, meaning: string]>> = {
  works: ['Работает', 'Сильные ученики отвечают на вопрос лучше слабых.'],
  tooEasy: ['Решают все', 'Вопрос почти никого не отличает: подойдёт для разминки.'],
  tooHard: ['Решают единицы', 'Проверьте, что тема пройдена, а условие понятно.'],
  weak: ['Слабо различает', 'Сильные и слабые ученики отвечают почти одинаково.'],
  checkKey: [
    'Проверьте ключ',
    'Сильные ученики отвечают хуже слабых: возможно, верным отмечен не тот ответ.',
  ],
  tooFew: [
    'Мало данных',
    `Вывод появится, когда проверенных попыток будет не меньше ${FEWEST_ATTEMPTS} и результаты будут разными.`,
  ],
  unscored: ['Без баллов', 'Вопрос не даёт баллов, поэтому не оценивается.'],
};

export function itemReadingLabel(reading: ItemVerdict): string {
  return READINGS[reading][0];
}

/** The meaning of a verdict, and advice. */
export function itemReadingMeaning(reading: ItemVerdict): string {
  return READINGS[reading][1];
}

const RELIABILITY: Readonly<Record<ReturnType<typeof alphaReading>, string>> = {
  veryHigh: 'Очень высокая. Одинаково готовые ученики получат почти равные баллы.',
  high: 'Высокая. Одинаково готовые ученики получат близкие баллы.',
  enough: 'Достаточная для теста в классе.',
  modest: 'Средняя. Не решайте по одному этому тесту.',
  low: 'Низкая. Баллы во многом случайны.',
  negative: 'Вопросы противоречат друг другу. Проверьте ключи.',
};

/** The rating of Cronbach's alpha; `attempts` is their number. */
export function formatAlpha(alpha: number | null, attempts: number): string {
  if (attempts < FEWEST_ATTEMPTS)
    return `Мало данных: нужно не меньше ${FEWEST_ATTEMPTS} завершённых попыток.`;
  if (alpha === null)
    return 'Не считается: нужны хотя бы два вопроса и две полностью проверенные работы с разными баллами.';
  return RELIABILITY[alphaReading(alpha)];
}

const inTenths = (points: number) => formatPoints(Math.round(points * 10) / 10);

/** The standard error as text. */
export function formatStandardError(points: number): string {
  return `Случайность может изменить результат примерно на ${inTenths(points)}.`;
}

/** «Это 66 % от максимума. Обычный разброс вокруг среднего: 6,1 балла.» */
export function formatMean(mean: number, maxScore: number, deviation: number | null): string {
  const share = maxScore > 0 ? `Это ${formatPercent(mean / maxScore)} от максимума.` : '';
  if (deviation === null) return share;
  return `${share} Обычный разброс вокруг среднего: ${inTenths(deviation)}.`.trim();
}

export function formatMedian(median: number): string {
  return `Половина работ не ниже ${formatNumber(median)}, половина не выше.`;
}

/** «4–8» */
export function formatBin(from: number, to: number): string {
  return `${formatNumber(from)}–${formatNumber(to)}`;
}

export function formatMedianTime(medianSeconds: number): string {
  return `Половина учеников справилась за ${formatDuration(medianSeconds * 1000)} или быстрее.`;
}

const LATE_ANSWERS: Forms = ['поздний ответ', 'поздних ответа', 'поздних ответов'];

/** «2 поздних ответа, без них 3 балла»: answers that count though they were late. */
export function lateAnswersMessage(count: number, pointsWithout: number): string {
  const without = count === 1 ? 'без него' : 'без них';
  return `${formatCount(count, LATE_ANSWERS)}, ${without} ${formatPoints(pointsWithout)}`;
}

const COUNTED = {
  best: 'Лучшая попытка',
  last: 'Последняя попытка',
  average: 'Попытки, из которых среднее',
} as const;

/** Label of the attempts that are shown when only those that make the mark count. */
export function countedLabel(rule: keyof typeof COUNTED): string {
  return COUNTED[rule];
}
