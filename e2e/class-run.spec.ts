import type { Browser, Page } from '@playwright/test';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { getBoard, type Board, type BoardRow } from '#contract/board.ts';
import type { Question } from '#contract/questions.ts';
import { getStatistics } from '#contract/statistics.ts';
import { execute } from '#server/db/query.ts';
import { createRandom } from '#simulation/random.ts';
import { scoreOf } from '#simulation/scorer.ts';
import { liveCall } from '#tests/live-call.ts';
import { smallTest } from '#tests/school.ts';
import { BoardPage } from './pages/board.ts';
import { Overview } from './pages/overview.ts';
import { Taking } from './pages/taking.ts';
import { expect, test, type Person, type TestSchool } from './test-school.ts';
import { insistent, ScriptedStudent } from './scripted-student.ts';
import { openSignIn, remember, signIn } from './visitor.ts';

const SEED = 20_260_302;
const SCRIPTED = 28;
const ROUNDS = 6;

const FIRST = ['Лев', 'Амина', 'Софья', 'Тимофей', 'Ева', 'Марк', 'Алиса'];
const LAST = ['Абрамов', 'Белов', 'Гаврилов', 'Ёлкин', 'Жуков', 'Иванов', 'Орлов', 'Фёдоров'];

/** Twelve questions that a rule can score, three of each kind but the hand-graded. */
function questions(): Question[] {
  const byRule = smallTest.slice(0, 4);
  return [0, 1, 2].flatMap((copy) =>
    byRule.map((question) => ({
      ...question,
      questionId: question.questionId.replace(/^0{8}/, `0000000${copy}`),
    })),
  );
}

/** The network of each student: a third of them lose it, and some of these change the device. */
type Fate = 'steady' | 'comesBack' | 'staysAway' | 'changesDevice' | 'oldDeviceRevives';
const FATES: readonly Fate[] = [
  'steady',
  'steady',
  'comesBack',
  'steady',
  'steady',
  'staysAway',
  'steady',
  'steady',
  'changesDevice',
  'steady',
  'steady',
  'oldDeviceRevives',
];

interface Place {
  readonly student: ScriptedStudent;
  readonly fate: Fate;
  /** The offline rounds. */
  readonly from: number;
  readonly to: number;
}

const isAway = ({ fate, from, to }: Place, round: number) =>
  fate !== 'steady' && round >= from && (round < to || fate === 'staysAway');

/** One round of a student's test. */
async function act(place: Place, round: number, testId: string): Promise<void> {
  const { student, fate, from, to } = place;
  if (isAway(place, round)) {
    student.write();
    // The last report to the server says that something was written.
    if (round === from) await student.tell();
    return;
  }
  if (round === to && (fate === 'changesDevice' || fate === 'oldDeviceRevives'))
    await student.start(testId);
  student.write();
  student.write();
  await student.send();
}

test('a class of thirty takes a timed test, a third goes offline: board and marks are right at every step', async ({
  page,
  browser,
  school,
}) => {
  test.slow();
  const random = createRandom(SEED, 'class');
  const teacher = await school.person({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
  const people: Person[] = [];
  for (let n = 0; n < SCRIPTED + 2; n += 1) {
    const userName = `${LAST[n % LAST.length]} ${FIRST[n % FIRST.length]}`;
    people.push(await school.person({ userName: `${userName} ${n + 1}` }));
  }
  const questionList = questions();
  const testId = await school.test(teacher, {
    students: people,
    questions: questionList,
    passMinutes: 30,
  });
  const base = school.network.url;
  const { token } = await openSignIn(school, teacher);

  const places: Place[] = [];
  for (const [n, person] of people.slice(0, SCRIPTED).entries()) {
    const from = random.between(1, 3);
    const signedIn = await openSignIn(school, person);
    places.push({
      student: new ScriptedStudent(
        person,
        signedIn.token,
        base,
        questionList,
        random.fork(`student-${n}`),
      ),
      fate: FATES[n % FATES.length] ?? 'steady',
      from,
      to: from + random.between(1, 2),
    });
  }
  const offline = places.filter(({ fate }) => fate !== 'steady').length;
  expect(offline).toBeGreaterThanOrEqual(Math.floor(SCRIPTED / 3));

  /** The board by the API and by the page agree with the students' own records. */
  const browsers = new Map<string, Partial<BoardRow>>(
    people.slice(SCRIPTED).map(({ userId }) => [
      userId,
      {
        state: 'notStarted',
        answered: 0,
        unsent: 0,
        devices: 0,
        totalQuestions: questionList.length,
      },
    ]),
  );
  const expected = () =>
    new Map([
      ...places.map(({ student }) => [student.person.userId, student.expected()] as const),
      ...browsers,
    ]);
  const readBoard = async (): Promise<Board> => {
    const input = { params: { id: testId } };
    const reply = await insistent(() => liveCall(base, getBoard, input, { token }));
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const view = new BoardPage(page);

  async function check(when: string): Promise<void> {
    const wanted = expected();
    await expect
      .poll(async () => differences(await readBoard(), wanted), { message: `${when}: the API` })
      .toEqual([]);
    const board = await readBoard();
    for (const { student } of places) {
      const row = board.rows.find(({ userId }) => userId === student.person.userId);
      if (!row?.lastSeenAt) continue;
      const seen = Date.parse(row.lastSeenAt);
      const isRight = seen >= student.contact.from - 5 && seen <= student.contact.to + 5;
      expect(
        isRight,
        `${when}: ${student.person.userName} was last seen at ${row.lastSeenAt}`,
      ).toBe(true);
    }
    await expect.poll(() => shown(page), { message: `${when}: the page` }).toEqual(onPage(board));
    const marks = await readMarks(school, token, testId);
    for (const { student } of places) {
      const points = student.isRunning ? null : scored(questionList, student.counting());
      const isListed = student.expected().state !== 'notStarted';
      expect(marks.get(student.person.userId), `${when}: ${student.person.userName}`).toBe(
        isListed ? points : undefined,
      );
    }
  }

  await signIn(page, school, teacher);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await view.open(base, testId);
  await check('nobody has begun');

  await Promise.all(places.map(({ student }) => student.start(testId)));
  const [first, second] = people.slice(SCRIPTED);
  if (!first || !second) throw new Error('two students at browsers');
  const line = await school.line();
  const one = await atBrowser(await browser.newContext(), school, base, first, testId);
  const two = await atBrowser(await browser.newContext(), school, line.url, second, testId);
  const running = { state: 'running', answered: 0, unsent: 0, devices: 1 } as const;
  browsers.set(first.userId, running).set(second.userId, running);
  await check('everybody has begun');

  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all(places.map((place) => act(place, round, testId)));
    if (round === 1) {
      for (const taking of [one, two]) {
        await taking.textAnswer.fill('4,9');
        await expect(taking.onServer).toBeVisible();
      }
      browsers.set(first.userId, { ...running, answered: 1 });
      browsers.set(second.userId, { ...running, answered: 1 });
    }
    if (round === 2) {
      line.rule = () => 'loseRequest';
      await two.goTo(2);
      await two.choose('Ньютон');
      await expect(two.onDevice).toBeVisible();
      await one.goTo(2);
      await one.choose('Паскаль');
      await expect(one.onServer).toBeVisible();
      browsers.set(first.userId, { ...running, answered: 2 });
    }
    if (round === 5) {
      line.rule = () => 'deliver';
      await expect(two.onServer).toBeVisible();
      browsers.set(second.userId, { ...running, answered: 2 });
    }
    await check(`round ${round}`);
  }

  // The old devices of two students are switched on again: blanks are filled.
  for (const { student, fate } of places) if (fate === 'oldDeviceRevives') await student.revive();
  for (const { fate, student } of places) if (fate !== 'staysAway') await student.finish();
  await one.finish();
  await two.finish();
  for (const { userId } of [first, second])
    browsers.set(userId, { state: 'finished', answered: 2 });
  await check('those in the school have finished');

  // The absent ones have no contact for three minutes: the teacher sees it, and gives them time.
  await execute(
    school.pool,
    `update streams s set last_heard_at = last_heard_at - interval '3 minutes',
       head_at = head_at - interval '3 minutes', head_since = head_since - interval '3 minutes'
     from attempts a where a.id = s.attempt_id and a.test_id = $1`,
    [testId],
  );
  const away = places.filter(({ fate }) => fate === 'staysAway').map(({ student }) => student);
  const left = places
    .map(({ student }) => student)
    .filter((student) => student.isRunning || (student.expected().unsent ?? 0) > 0);
  const names = left.map(({ person }) => person.userName);
  await expect
    .poll(async () => (await view.stuck.locator('tbody th').allInnerTexts()).toSorted())
    .toEqual(names.toSorted());
  await expect(view.count('нет связи')).toContainText(String(away.length));
  await view.addTime.click();
  const adding = view.dialog('Добавить время');
  await adding.getByText('Тем, кто был без связи').click();
  await adding.getByRole('button', { name: '5 мин', exact: true }).click();
  const before = new Map((await readBoard()).rows.map((row) => [row.userId, row.deadline]));
  await adding.getByRole('button', { name: 'Добавить', exact: true }).click();
  await expect(adding).toContainText(/Время добавлено \d+ ученик/);
  const awayIds = new Set(away.map(({ person }) => person.userId));
  for (const { userId, deadline } of (await readBoard()).rows) {
    const old = before.get(userId);
    const moved = Date.parse(deadline ?? '') - Date.parse(old ?? '');
    expect(moved).toBe(awayIds.has(userId) ? 5 * 60_000 : 0);
  }
  await adding.getByRole('button', { name: 'Готово' }).click();

  // The end: time and window are past for them too; the server closes, the marks stay.
  await execute(
    school.pool,
    `update attempts set started_at = now() - interval '2 days', deadline = now() - interval '1 day' where test_id = $1 and ended is null`,
    [testId],
  );
  for (const student of away) student.closed();
  await expect
    .poll(async () => differences(await readBoard(), expected()), { message: 'the end: the API' })
    .toEqual([]);
  await expect
    .poll(() => shown(page), { message: 'the end: the page' })
    .toEqual(onPage(await readBoard()));
  const marks = await readMarks(school, token, testId);
  for (const { student } of places)
    expect(marks.get(student.person.userId), student.person.userName).toBe(
      scored(questionList, student.counting()),
    );
  expect(marks.get(first.userId)).toBe(2);
  expect(marks.get(second.userId)).toBe(3);
  expect(marks.size).toBe(people.length);
});

/** A student at a separate browser, over a separate line, in the running test. */
async function atBrowser(
  context: Awaited<ReturnType<Browser['newContext']>>,
  school: TestSchool,
  url: string,
  person: Person,
  testId: string,
): Promise<Taking> {
  const page = await context.newPage();
  const signedIn = await openSignIn(school, person);
  await remember(page, { ...school, network: { ...school.network, url } }, signedIn);
  await page.goto(`${url}/tests/${testId}/overview`);
  await new Overview(page).untilReady();
  await new Overview(page).start.click();
  const taking = new Taking(page);
  await taking.timer.waitFor();
  return taking;
}

/** Differences between a board and the expected one, as text. */
function differences(board: Board, wanted: ReadonlyMap<string, Partial<BoardRow>>): string[] {
  const rows = new Map(board.rows.map((row) => [row.userId, row]));
  const missing = [...wanted.keys()].filter((userId) => !rows.has(userId));
  const found = [...rows.values()].flatMap((row) =>
    Object.entries(wanted.get(row.userId) ?? { userId: 'nobody' }).flatMap(([field, value]) => {
      const is = row[field as keyof BoardRow];
      return is === value
        ? []
        : [`${row.userName}: ${field} is ${String(is)}, not ${String(value)}`];
    }),
  );
  return [...missing, ...found];
}

/** The content of each line of the page: name, figures, and what is on the device. */
function onPage(board: Board): Record<string, string> {
  return Object.fromEntries(
    board.rows.map((row) => {
      const figures = row.state === 'notStarted' ? '' : `${row.answered}/${row.totalQuestions}`;
      const done = { finished: 'сдано', closed: 'закрыто', notStarted: 'не начато' } as const;
      const state = row.state in done ? done[row.state as keyof typeof done] : '';
      const unsent = row.unsent > 0 ? `на устройстве ${row.unsent}` : '';
      return [row.userName, [state, figures, unsent].filter(Boolean).join(' ')];
    }),
  );
}

function shown(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const found: Record<string, string> = {};
    for (const row of document.querySelectorAll('table[aria-label^="Ученики"] tbody tr')) {
      const [name, server, contact] = [...row.children].map((cell) => {
        const spoken = cell.cloneNode(true) as Element;
        for (const drawn of spoken.querySelectorAll('[aria-hidden]')) drawn.remove();
        return spoken.textContent ?? '';
      });
      const state = /сдано|закрыто|не начато/.exec(server ?? '')?.[0] ?? '';
      const figures = /(\d+) из (\d+)$/.exec(server?.replace(/\d\d:\d\d/, ' ') ?? '');
      const unsent = /^(\d+) ответ\S* на устройстве/.exec(contact ?? '')?.[1];
      found[name ?? ''] = [
        state,
        figures ? `${figures[1]}/${figures[2]}` : '',
        unsent === undefined ? '' : `на устройстве ${unsent}`,
      ]
        .filter(Boolean)
        .join(' ');
    }
    return found;
  });
}

/** Points by person, as the statistics of the test list them. */
async function readMarks(
  school: TestSchool,
  token: string,
  testId: string,
): Promise<Map<string, number | null>> {
  const path = getStatistics.path.replace('{id}', testId);
  const reply = await insistent(() =>
    fetch(`${school.network.url}${path}?pageSize=100`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  );
  const { items } = (await reply.json()) as {
    items: { userId: string; points: number | null }[];
  };
  return new Map(items.map(({ userId, points }) => [userId, points]));
}

const scored = (questionList: readonly Question[], counting: ReadonlyMap<string, Answer>): number =>
  scoreOf(questionList, new Map([...counting].map(([id, answer]) => [id, JSON.stringify(answer)])));
