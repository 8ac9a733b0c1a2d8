import type { ItemStatistics, StatisticsRow } from '#contract/statistics.ts';
import { itemReadingLabel, itemReadingMeaning, kindLabel } from '#domain/labels-statistics.ts';
import type { Cell, Column, Table } from './cells.ts';
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
  return state === 1 ? 'идёт' : 'время вышло';
}

const ATTEMPT_COLUMNS: readonly Column[] = [
  { head: 'Ученик', width: 30 },
  { head: 'Класс', width: 12 },
  { head: 'Попытка', width: 9 },
  { head: 'Состояние', width: 18 },
  { head: 'Баллы', width: 9 },
  { head: 'Из', width: 9 },
  { head: 'Засчитана', width: 11 },
  { head: 'Ждёт проверки', width: 15 },
  { head: 'Ждут решения, ответов', width: 15 },
  { head: 'Поздних ответов', width: 12 },
  { head: 'Баллы без поздних', width: 12 },
  { head: 'Начало', width: 17 },
  { head: 'Конец', width: 17 },
  { head: 'Время, мин', width: 11, format: FIGURE },
];

const TRIAL_COLUMN: Column = { head: 'Пробная', width: 10 };

/** Why a table has no rows. */
const NOTHING: readonly (readonly Cell[])[] = [
  ['Попыток пока нет. Они появятся здесь, когда ученики начнут тест.'],
];

const orNothing = (rows: readonly (readonly Cell[])[]) => (rows.length === 0 ? NOTHING : rows);

/** Attempts, with the points of each item; an empty cell: not asked, or not graded yet. */
export function attemptsTable(
  rows: readonly StatisticsRow[],
  { attempts, items }: Matrix,
  timeZone: string,
): Table {
  const wallClock = wallClockOf(timeZone);
  // Only where trials were requested: sheets of classes keep their columns.
  const hasTrials = rows.some(({ trial }) => trial);
  const columnOf = new Map(attempts.map(({ id }, i) => [id, i]));
  const pointsOf = (id: string) =>
    items.map(({ points }) => {
      const value = points[columnOf.get(id) ?? -1];
      return value === undefined || Number.isNaN(value) ? null : value;
    });
  return {
    name: 'Попытки',
    columns: [
      ...ATTEMPT_COLUMNS,
      ...(hasTrials ? [TRIAL_COLUMN] : []),
      ...items.map((_, i) => ({ head: `Вопрос ${i + 1}`, width: 10 })),
    ],
    rows: orNothing(
      rows.map((row) => [
        oneLine(row.userName),
        row.groups.map(oneLine).join(', '),
        row.attemptNumber,
        stateOf(row),
        row.points,
        row.testPoints,
        yes(row.counted),
        yes(row.pendingReview),
        row.held === 0 ? null : row.held,
        row.receivedLate === 0 ? null : row.receivedLate,
        row.pointsWithoutLate,
        wallClock(row.startedAt),
        wallClock(row.finishedAt),
        rounded(row.usedSeconds === null ? null : row.usedSeconds / 60),
        ...(hasTrials ? [yes(row.trial)] : []),
        ...pointsOf(row.userTestId),
      ]),
    ),
  };
}

export function itemsTable(items: readonly ItemStatistics[]): Table {
  return {
    name: 'Вопросы',
    columns: [
      { head: '№', width: 6 },
      { head: 'Вопрос', width: 50 },
      { head: 'Вид', width: 16 },
      { head: 'Баллы', width: 8 },
      { head: 'Отвечено', width: 10 },
      { head: 'Проверено', width: 11 },
      { head: 'Решаемость', width: 12, format: PERCENT },
      { head: 'Различение', width: 12, format: FIGURE },
      { head: 'Вывод', width: 18 },
      { head: 'Что это значит', width: 60 },
    ],
    rows: orNothing(
      items.map((item) => [
        item.number,
        oneLine(item.text),
        kindLabel(item.kind, item.multiple),
        item.maxPoints,
        item.answered,
        item.graded,
        rounded(item.facility, 4),
        rounded(item.discrimination, 4),
        itemReadingLabel(item.reading),
        itemReadingMeaning(item.reading),
      ]),
    ),
  };
}

function rightness(isRight: boolean | null): string {
  if (isRight === null) return 'проверяет преподаватель';
  return isRight ? 'верно' : 'неверно';
}

/** The answers to each item, and how good those who gave them are at the rest of the test. */
export function answersTable(items: readonly ItemStatistics[]): Table {
  return {
    name: 'Ответы',
    columns: [
      { head: '№', width: 6 },
      { head: 'Вопрос', width: 50 },
      { head: 'Ответ', width: 40 },
      { head: 'Верность', width: 24 },
      { head: 'Выбрали', width: 10 },
      { head: 'Доля', width: 8, format: PERCENT },
      { head: 'Их результат по остальным вопросам', width: 20, format: PERCENT },
    ],
    rows: orNothing(
      items.flatMap((item) =>
        item.choices.map((choice) => [
          item.number,
          oneLine(item.text),
          oneLine(choice.text),
          rightness(choice.isRight),
          choice.count,
          rounded(choice.share, 4),
          rounded(choice.meanRest, 4),
        ]),
      ),
    ),
  };
}
