import type { ItemStatistics, StatisticsRow } from '#contract/statistics.ts';
import { readableText } from '#domain/format-gaps.ts';
import { questionKindLabel } from '#domain/labels-kinds.ts';
import { itemReadingLabel, itemReadingMeaning } from '#domain/labels-statistics.ts';
import { PENDING_REVIEW_LABEL } from '#domain/labels-status.ts';
import type { Cell, Column, CellTable } from './cells.ts';
import type { Matrix } from './matrix.ts';

const PERCENT = '0 %';
const FIGURE = '0.00';

/** Times as the school's clock showed them, in the UTC fields of a Date: spreadsheets have no time zones. */
function wallClockOf(timeZone: string): (iso: string | null) => Date | null {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return (iso) => {
    if (iso === null) return null;
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(new Date(iso))) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  };
}

const rounded = (value: number | null, digits = 2): number | null =>
  value === null ? null : Number(value.toFixed(digits));

/** Line breaks would split a row visually. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const yes = (is: boolean) => (is ? 'да' : '');

function stateOf({ end, state }: StatisticsRow): string {
  if (end !== null) return end === 'finished' ? 'сдано' : 'закрыто по времени';
  if (state === 0) return 'не приступал';
  return state === 1 ? 'идёт' : 'время вышло';
}

/** A column, and its cell in the row of an item. */
interface ColumnOf<T> extends Column {
  readonly cellOf: (item: T) => Cell;
}

/** Why a table has no rows. */
const NOTHING: readonly (readonly Cell[])[] = [
  ['Попыток пока нет. Они появятся здесь, когда ученики начнут тест.'],
];

const tableOf = <T>(
  name: string,
  items: readonly T[],
  columns: readonly ColumnOf<T>[],
): CellTable => ({
  name,
  columns,
  rows:
    items.length === 0 ? NOTHING : items.map((item) => columns.map(({ cellOf }) => cellOf(item))),
});

/**
 * Attempts and students without one, with the points of each item. An empty cell: not in the attempt, or not graded.
 */
export function attemptsTable(
  rows: readonly StatisticsRow[],
  { attempts, items }: Matrix,
  timeZone: string,
): CellTable {
  const wallClock = wallClockOf(timeZone);
  // Only if trials were requested: sheets of classes stay unchanged.
  const trialColumn: ColumnOf<StatisticsRow>[] = rows.some(({ trial }) => trial)
    ? [{ head: 'Пробная', width: 10, cellOf: ({ trial }) => yes(trial) }]
    : [];
  const columnOf = new Map(attempts.map(({ id }, i) => [id, i]));
  const itemColumns = items.map(({ points }, i) => ({
    head: `Вопрос ${i + 1}`,
    width: 10,
    cellOf: ({ userTestId }: StatisticsRow) => {
      const value = points[columnOf.get(userTestId ?? '') ?? -1];
      return value === undefined || Number.isNaN(value) ? null : value;
    },
  }));
  return tableOf('Попытки', rows, [
    { head: 'Ученик', width: 30, cellOf: ({ userName }) => oneLine(userName) },
    { head: 'Класс', width: 12, cellOf: ({ groups }) => groups.map(oneLine).join(', ') },
    { head: 'Попытка', width: 9, cellOf: ({ attemptNumber }) => attemptNumber },
    { head: 'Состояние', width: 18, cellOf: stateOf },
    { head: 'Баллы', width: 9, cellOf: ({ points }) => points },
    { head: 'Из', width: 9, cellOf: ({ testPoints }) => testPoints },
    { head: 'Засчитана', width: 11, cellOf: ({ counted }) => yes(counted) },
    { head: PENDING_REVIEW_LABEL, width: 15, cellOf: ({ pendingReview }) => yes(pendingReview) },
    { head: 'Ждут решения, ответов', width: 15, cellOf: ({ held }) => held || null },
    { head: 'Поздних ответов', width: 12, cellOf: ({ receivedLate }) => receivedLate || null },
    { head: 'Баллы без поздних', width: 12, cellOf: ({ pointsWithoutLate }) => pointsWithoutLate },
    { head: 'Начало', width: 17, cellOf: ({ startedAt }) => wallClock(startedAt) },
    { head: 'Конец', width: 17, cellOf: ({ finishedAt }) => wallClock(finishedAt) },
    {
      head: 'Время, мин',
      width: 11,
      format: FIGURE,
      cellOf: ({ usedSeconds }) => rounded(usedSeconds === null ? null : usedSeconds / 60),
    },
    ...trialColumn,
    ...itemColumns,
  ]);
}

export const itemsTable = (items: readonly ItemStatistics[]): CellTable =>
  tableOf('Вопросы', items, [
    { head: '№', width: 6, cellOf: ({ number }) => number },
    { head: 'Вопрос', width: 50, cellOf: (item) => oneLine(readableText(item)) },
    { head: 'Вид', width: 20, cellOf: questionKindLabel },
    { head: 'Баллы', width: 8, cellOf: ({ maxPoints }) => maxPoints },
    { head: 'Отвечено', width: 10, cellOf: ({ answered }) => answered },
    { head: 'Проверено', width: 11, cellOf: ({ graded }) => graded },
    {
      head: 'Решаемость',
      width: 12,
      format: PERCENT,
      cellOf: ({ facility }) => rounded(facility, 4),
    },
    {
      head: 'Различение',
      width: 12,
      format: FIGURE,
      cellOf: ({ discrimination }) => rounded(discrimination, 4),
    },
    { head: 'Вывод', width: 18, cellOf: ({ reading }) => itemReadingLabel(reading) },
    { head: 'Что это значит', width: 60, cellOf: ({ reading }) => itemReadingMeaning(reading) },
  ]);

function rightness(isRight: boolean | null): string {
  if (isRight === null) return 'проверяет преподаватель';
  return isRight ? 'верно' : 'неверно';
}

/** The answers to each item, and the score of those who gave them at the rest of the test. */
export function answersTable(items: readonly ItemStatistics[]): CellTable {
  const answers = items.flatMap((item) => item.choices.map((choice) => ({ item, choice })));
  return tableOf('Ответы', answers, [
    { head: '№', width: 6, cellOf: ({ item }) => item.number },
    { head: 'Вопрос', width: 50, cellOf: ({ item }) => oneLine(readableText(item)) },
    { head: 'Ответ', width: 40, cellOf: ({ choice }) => oneLine(choice.text) },
    { head: 'Верность', width: 24, cellOf: ({ choice }) => rightness(choice.isRight) },
    { head: 'Выбрали', width: 10, cellOf: ({ choice }) => choice.count },
    {
      head: 'Доля',
      width: 8,
      format: PERCENT,
      cellOf: ({ choice }) => rounded(choice.share, 4),
    },
    {
      head: 'Их результат по остальным вопросам',
      width: 20,
      format: PERCENT,
      cellOf: ({ choice }) => rounded(choice.meanRest, 4),
    },
  ]);
}
