import { describe, expect, test } from 'vitest';
import type { Board, BoardRow } from '#contract/board.ts';
import { extraTimeMessage, isCandidate, extraTimePlanMessage, readMinutes } from './extra-time.ts';
import {
  bySurname,
  contactOf,
  countsOf,
  inColumns,
  lastDeadline,
  phaseOf,
  stuckForMs,
} from './rules.ts';
import { formatContact, describeLastContact, formatCounts, boardStateLabel } from './messages.ts';

const NOW = Date.parse('2026-05-24T07:49:12.000Z');
const MOSCOW = 'Europe/Moscow';
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

const row = (of: Partial<BoardRow> = {}): BoardRow => ({
  userId: of.userName ?? 'anna',
  userName: 'Кузнецова Анна',
  groups: ['9А'],
  attemptId: 'attempt',
  attemptNumber: 1,
  trial: false,
  state: 'running',
  startedAt: ago(1_200),
  deadline: ago(-1_080),
  countsUntil: ago(-1_980),
  finishedAt: null,
  answered: 9,
  totalQuestions: 20,
  lastSeenAt: ago(10),
  unsent: 0,
  unsentAt: ago(10),
  unsentSince: null,
  filesUnderway: 0,
  held: 0,
  devices: 1,
  ...of,
});

describe('contact', () => {
  test.each([
    [10, 'fresh', 'на связи'],
    [45, 'fresh', 'на связи'],
    [50, 'quiet', 'на связи'],
    [60, 'quiet', 'на связи'],
    [61, 'offline', 'нет связи 1\u00a0мин'],
    [360, 'offline', 'нет связи 6\u00a0мин'],
  ] as const)('last seen %s s ago: %s', (seconds, kind, words) => {
    const recent = row({ lastSeenAt: ago(seconds) });
    expect(contactOf(recent, NOW).kind).toBe(kind);
    expect(formatContact(recent, NOW)).toBe(words);
  });

  test('an ended attempt has no contact state', () => {
    for (const state of ['finished', 'closed', 'notStarted'] as const)
      expect(contactOf(row({ state, lastSeenAt: ago(600) }), NOW).kind).toBe('none');
  });
});

describe('answers that do not arrive', () => {
  test.each([
    ['heard, all arrived', row(), null],
    ['unheard for two minutes', row({ lastSeenAt: ago(120) }), 120_000],
    ['unheard for less', row({ lastSeenAt: ago(119) }), null],
    ['missing for three', row({ unsent: 2, unsentSince: ago(180) }), 180_000],
    ['missing for one', row({ unsent: 2, unsentSince: ago(60) }), null],
    ['a file for five', row({ filesUnderway: 1, unsentSince: ago(300) }), 300_000],
    ['finished, all arrived', row({ state: 'finished', lastSeenAt: ago(900) }), null],
    [
      'finished, an old device holds some',
      row({ state: 'finished', unsent: 1, unsentSince: ago(600) }),
      600_000,
    ],
    ['not begun', row({ state: 'notStarted', lastSeenAt: null }), null],
  ])('%s', (_, one, expected) => {
    expect(stuckForMs(one, NOW)).toBe(expected);
  });

  test('the last contact is what the device reported and when, never a guess', () => {
    const said = { unsentAt: ago(360), unsentSince: ago(360), lastSeenAt: ago(360) };
    const words = (of: Partial<BoardRow>) => {
      const { stage, what, rest } = describeLastContact(row(of), NOW, MOSCOW);
      return `${stage}: ${what} ${rest}`.replaceAll('\u00a0', ' ');
    };
    expect(words({ ...said, unsent: 2 })).toBe('device: 2 ответа было на устройстве в 10:43');
    expect(words({ ...said, unsent: 1 })).toBe('device: 1 ответ был на устройстве в 10:43');
    expect(words({ ...said, unsent: 0, filesUnderway: 1 })).toBe(
      'device: 1 файл был на устройстве в 10:43',
    );
    expect(words({ unsent: 3, unsentSince: ago(130) })).toBe(
      'sending: 3 ответа отправляются 2 мин',
    );
    expect(words({ ...said, unsent: 2, filesUnderway: 1 })).toBe(
      'device: 2 ответа и 1 файл было на устройстве в 10:43',
    );
    expect(words(said)).toBe('server:  в 10:43 всё было на сервере');
    expect(words({ unsentAt: null, lastSeenAt: ago(360) })).toBe(
      'device:  что на устройстве, неизвестно',
    );
  });
});

test('every student is in exactly one count, and the counts are announced as one sentence', () => {
  const rows = [
    ...Array.from({ length: 3 }, () => row()),
    row({ lastSeenAt: ago(90), unsent: 2, unsentSince: ago(90) }),
    row({ state: 'timeOver' }),
    row({ state: 'finished', finishedAt: ago(300) }),
    row({ state: 'closed' }),
    row({ state: 'notStarted', lastSeenAt: null }),
  ];
  const counts = countsOf(rows, NOW);
  const { writing, finished, notStarted, offline, timeOver, closed } = counts;
  expect(writing + finished + notStarted + offline + timeOver + closed).toBe(rows.length);
  expect(formatCounts(counts)).toBe(
    '3 пишут, 1 сдал, 1 не начал, без связи 1, время вышло у 1, 1 закрыт сервером, 2 неотправленных у 1 ученика.',
  );
});

test('state labels include the time', () => {
  expect(boardStateLabel(row({ state: 'finished', finishedAt: ago(360) }), MOSCOW)).toBe(
    'сдано 10:43',
  );
  expect(boardStateLabel(row({ state: 'closed', finishedAt: ago(360) }), MOSCOW)).toBe(
    'закрыто 10:43',
  );
  expect(boardStateLabel(row({ state: 'notStarted' }), MOSCOW)).toBe('не начато');
});

test('surnames sort by the Russian alphabet, ё beside е', () => {
  const names = ['Жуков', 'Ёлкина', 'Егорова', 'Абрамов', 'ученик 10', 'ученик 9'];
  const sorted = bySurname(names.map((userName) => row({ userName })));
  expect(sorted.map(({ userName }) => userName)).toEqual([
    'Абрамов',
    'Егорова',
    'Ёлкина',
    'Жуков',
    'ученик 9',
    'ученик 10',
  ]);
});

test('columns are filled one after another and contain every row', () => {
  expect(inColumns([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(inColumns([1], 3)).toEqual([[1]]);
  expect(inColumns([], 3)).toEqual([]);
});

test('the time left is that of the latest running deadline', () => {
  expect(lastDeadline([row(), row({ deadline: ago(-3_000) })])).toBe(NOW + 3_000_000);
  expect(lastDeadline([row({ state: 'finished' })])).toBeNull();
});

test('phase of the test: nobody, not yet, running, over', () => {
  const board = (of: Partial<Board>): Board => ({
    testId: 'test',
    title: 'Законы Ньютона',
    serverTime: ago(0),
    trials: 0,
    startTime: null,
    endTime: null,
    rows: [],
    ...of,
  });
  const idle = row({ state: 'notStarted', lastSeenAt: null });
  expect(phaseOf(board({}), NOW)).toBe('nobody');
  expect(phaseOf(board({ rows: [idle], startTime: ago(-60) }), NOW)).toBe('notYet');
  expect(phaseOf(board({ rows: [idle] }), NOW)).toBe('running');
  expect(phaseOf(board({ rows: [idle], endTime: ago(1) }), NOW)).toBe('over');
  expect(phaseOf(board({ rows: [row(), idle], endTime: ago(1) }), NOW)).toBe('running');
  expect(phaseOf(board({ rows: [row({ state: 'finished' })] }), NOW)).toBe('over');
});

describe('added time', () => {
  test.each([
    ['10', { minutes: 10 }],
    [' 5 ', { minutes: 5 }],
    ['', { error: 'Укажите число минут' }],
    ['десять', { error: 'Укажите число минут' }],
    ['1,5', { error: 'Укажите целое число минут' }],
    ['0', { error: 'Добавьте хотя бы минуту' }],
    ['1441', { error: 'Не больше суток за раз' }],
  ])('«%s»', (typed, expected) => {
    expect(readMinutes(typed)).toEqual(expected);
  });

  test('the preview names the students and the deadline, the result is the server’s report', () => {
    const same = [row(), row()].filter(isCandidate);
    expect(extraTimePlanMessage(same, 10, NOW, MOSCOW)).toBe(
      'Добавим 10 минут 2 ученикам, новый срок 11:17.',
    );
    // A past deadline is extended from now.
    const past = row({ state: 'timeOver', deadline: ago(600) });
    expect(extraTimePlanMessage([row(), past].filter(isCandidate), 1, NOW, MOSCOW)).toBe(
      'Добавим 1 минуту 2 ученикам, новый срок у каждого свой: от 10:50 до 11:08.',
    );
    const extended = [{ attemptId: 'attempt', deadline: ago(-1_680) }];
    expect(extraTimeMessage({ extended, skipped: [] }, NOW, MOSCOW)).toBe(
      'Время добавлено 1 ученику, новый срок 11:17.',
    );
    expect(extraTimeMessage({ extended: [], skipped: [] }, NOW, MOSCOW)).toBe(
      'Время никому не добавлено.',
    );
  });
});
