import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { HEADER } from '#contract/headers.ts';
import { exportStatistics, getStatistics } from '#contract/statistics.ts';
import { execute } from '#server/db/query.ts';
import { textCell } from '#server/statistics/cells.ts';
import { MINUTE_MS, sit, startClass } from '#tests/class-work.ts';
import { makeGroup, makeTest, Q, RIGHT, type TestDevice } from '#tests/school.ts';
import { testServer, type TestServer, type TestUser } from '#tests/server.ts';
import { readWorkbook } from '#tests/workbook.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const FORMATS = ['csv', 'xlsx'] as const;
const SAYS_NOTHING = 'Попыток пока нет. Они появятся здесь, когда ученики начнут тест.';

async function fileOf(testId: string, as: TestUser, format: (typeof FORMATS)[number]) {
  const reply = await server.send(
    exportStatistics,
    { params: { id: testId }, query: { format } },
    { as },
  );
  if (reply.status !== 200) throw new Error(reply.text);
  const { content, ...about } = reply.body;
  return { ...about, bytes: Buffer.from(content, 'base64') };
}

const linesOf = (bytes: Buffer) => bytes.toString('utf8').slice(1).trimEnd().split('\r\n');

const numberAnswer = (text: string): Answer => ({ questionId: Q.open, kind: 'open', text });

async function hostileClass(names: readonly string[], answers: readonly string[]) {
  const work = await startClass(server, names);
  server.clock.advance(90_000);
  for (const [i, device] of work.devices.entries()) {
    await sit(device, [numberAnswer(answers[i] ?? '4,9'), RIGHT.single]);
  }
  return work;
}

describe('a CSV file', () => {
  test('opens in Russian Excel: BOM, semicolons, decimal commas, times of the school', async () => {
    const { teacher, testId, devices } = await hostileClass(['Ёлкина; Анна'], ['4,9']);
    await makeGroup(
      server,
      teacher,
      devices.map(({ student }) => student),
      '9А',
    );
    const { bytes, fileName, mimeType } = await fileOf(testId, teacher, 'csv');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect([fileName, mimeType]).toEqual([
      'Статистика – Законы Ньютона.csv',
      'text/csv; charset=utf-8',
    ]);
    const [head, row, ...rest] = linesOf(bytes);
    expect(head).toBe(
      'Ученик;Класс;Попытка;Состояние;Баллы;Из;Засчитана;На проверке;Ждут решения, ответов;Поздних ответов;Баллы без поздних;Начало;Конец;Время, мин;' +
        [1, 2, 3, 4, 5, 6].map((number) => `Вопрос ${number}`).join(';'),
    );
    // It began at 06:00 UTC or later on 2 March, which is three hours more in Moscow.
    expect(row).toMatch(
      /^"Ёлкина; Анна";9А;1;сдано;3;17;да;;;;;02\.03\.2026 09:\d\d;02\.03\.2026 09:\d\d;1,5;2;1;0;0;0;0$/,
    );
    expect(rest).toEqual([]);
  });

  test.each(['=1+1', '+7', '-cmd', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x")', '＝1'])(
    'never runs a name such as %j',
    async (name) => {
      const { teacher, testId } = await hostileClass(['А'], ['4,9']);
      await execute(
        server.pool,
        `update users set user_name = $2 from attempts x where x.user_id = users.id and x.test_id = $1`,
        [testId, name],
      );
      const row = linesOf((await fileOf(testId, teacher, 'csv')).bytes)[1] ?? '';
      const cell = row.startsWith('"') ? row.slice(1) : row;
      expect(cell).toMatch(/^'/);
    },
  );
});

describe('a workbook', () => {
  test('has sheets of attempts, questions and answers, numbers as numbers and no formula', async () => {
    const { teacher, testId } = await hostileClass(['=cmd|A1', 'Борисов'], ['=1+1', '@x']);
    const { bytes, fileName } = await fileOf(testId, teacher, 'xlsx');
    expect(fileName).toBe('Статистика – Законы Ньютона.xlsx');
    const sheets = readWorkbook(bytes);
    expect([...sheets.keys()]).toEqual(['Попытки', 'Вопросы', 'Ответы']);

    const [head, ...attempts] = sheets.get('Попытки') ?? [];
    expect(head?.slice(0, 6)).toEqual(['Ученик', 'Класс', 'Попытка', 'Состояние', 'Баллы', 'Из']);
    expect(attempts.map(([name]) => name)).toEqual(["'=cmd|A1", 'Борисов']);
    expect(attempts.map((row) => row[4])).toEqual([1, 1]);

    const questions = sheets.get('Вопросы') ?? [];
    expect(questions[2]?.slice(0, 7)).toEqual([2, 'Единица силы?', 'Один ответ', 1, 2, 2, 1]);
    const answers = sheets.get('Ответы') ?? [];
    const typed = answers.filter(([number]) => number === 1).map((row) => row[2]);
    expect(typed).toEqual(["'=1+1", "'@x"]);
    const option = answers.find((row) => row[2] === 'Ньютон');
    expect(option?.slice(3, 6)).toEqual(['верно', 2, 1]);
  });
});

test.each(FORMATS)(
  'a %s file has for each attempt the number of late answers, and the points without them',
  async (format) => {
    const { teacher, testId, devices } = await startClass(server, ['Анна', 'Борис'], {
      passMinutes: 10,
      windowMinutes: 15,
    });
    const [late, quick] = devices as [TestDevice, TestDevice];
    await sit(quick, [RIGHT.single]);
    await late.answer(RIGHT.single);
    server.clock.advance(15 * MINUTE_MS);
    const age = { [HEADER.age]: String(10 * MINUTE_MS) };
    for (const answer of [numberAnswer('4,9'), RIGHT.matching])
      await late.answer(answer, late.operation(age));
    await late.finish(late.operation(age));
    const rows = (
      await server.send(getStatistics, { params: { id: testId } }, { as: teacher })
    ).body.items.map(({ userName, points, receivedLate, pointsWithoutLate }) => [
      userName,
      points,
      receivedLate,
      pointsWithoutLate,
    ]);
    expect(rows).toEqual([
      ['Анна', 6, 2, 1],
      ['Борис', 1, 0, null],
    ]);
    const { bytes } = await fileOf(testId, teacher, format);
    const lines =
      format === 'csv'
        ? linesOf(bytes).map((line) => line.split(';'))
        : (readWorkbook(bytes).get('Попытки') ?? []).map((row) =>
            row.map((cell) => String(cell ?? '')),
          );
    const [head = [], ...attempts] = lines;
    const columns = ['Ученик', 'Баллы', 'Поздних ответов', 'Баллы без поздних'];
    const at = columns.map((name) => head.indexOf(name));
    expect(attempts.map((row) => at.map((column) => row[column] ?? ''))).toEqual([
      ['Анна', '6', '2', '1'],
      ['Борис', '1', '', ''],
    ]);
  },
);

test.each(FORMATS)('of an empty test a %s file has its headings and a sentence', async (format) => {
  const teacher = await server.user({ role: ROLE.teacher });
  const testId = await makeTest(server, teacher);
  const { bytes } = await fileOf(testId, teacher, format);
  if (format === 'csv') {
    expect(linesOf(bytes)[0]).toMatch(/^Ученик;Класс/);
    expect(linesOf(bytes)[1]).toBe(SAYS_NOTHING);
    return;
  }
  for (const rows of readWorkbook(bytes).values()) {
    expect(rows[0]?.length).toBeGreaterThan(5);
    expect(rows[1]).toEqual([SAYS_NOTHING]);
  }
});

test('a file contains the chosen attempts only, running ones among them', async () => {
  const { teacher, testId, devices } = await startClass(server, ['А', 'Б', 'В']);
  const [a, b] = devices as [TestDevice, TestDevice];
  server.clock.advance(MINUTE_MS);
  await sit(a, [RIGHT.single]);
  const groupId = await makeGroup(server, teacher, [a.student, b.student]);
  const { body } = await server.send(
    exportStatistics,
    { params: { id: testId }, query: { format: 'csv', groupId } },
    { as: teacher },
  );
  const lines = linesOf(Buffer.from(body.content, 'base64'));
  expect(lines.slice(1).map((line) => line.split(';').slice(0, 5))).toEqual([
    ['А', '9А', '1', 'сдано', '1'],
    ['Б', '9А', '1', 'идёт', ''],
  ]);
});

test('a file has assigned students without an attempt, marked so', async () => {
  const { teacher, testId } = await startClass(server, ['Б']);
  const student = await server.user({ userName: 'Агапова Зоя' });
  await execute(
    server.pool,
    'insert into assignments (id, test_id, user_id, created_at) values ($1, $2, $3, now())',
    [crypto.randomUUID(), testId, student.userId],
  );
  const [, first = '', second = ''] = linesOf((await fileOf(testId, teacher, 'csv')).bytes);
  expect(first).toMatch(/^Агапова Зоя;;;не приступал;;17;;+$/);
  expect(second).toMatch(/^Б;;1;идёт;/);
  const [, row] = readWorkbook((await fileOf(testId, teacher, 'xlsx')).bytes).get('Попытки') ?? [];
  expect(row?.slice(0, 6)).toEqual(['Агапова Зоя', null, null, 'не приступал', null, 17]);
});

test.each([
  ['=1', "'=1"],
  ['a=1', 'a=1'],
  ['−1', '−1'],
  ['-1', '-1'],
  ['+7', "'+7"],
  ['\u0000=1', "'=1"],
  ['', ''],
])('%j is written as %j', (text, written) => {
  expect(textCell(text)).toBe(written);
});
