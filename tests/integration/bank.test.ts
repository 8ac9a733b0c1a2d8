import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradeItem } from '#contract/attempts.ts';
import { ROLE } from '#contract/auth.ts';
import { createTest, deleteTest, duplicateTest, updateTest } from '#contract/authoring.ts';
import {
  type BankEntry,
  deleteBankEntry,
  findImported,
  getBankFacets,
  listBank,
  pickFromBank,
  saveBankEntry,
} from '#contract/bank.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import type { Question } from '#contract/questions.ts';
import type { CallInput } from '#contract/route.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { newTestPayload } from '#domain/new-test.ts';
import { refreshFigures } from '#server/bank/figures.ts';
import { indexUnknownTests } from '#server/bank/index-job.ts';
import { MINUTE_MS, nth, sit, startClass } from '#tests/class-work.ts';
import { HOSTILE_TEXTS } from '#tests/hostile-texts.ts';
import { errorOf, makeTest, Q, RIGHT, smallTest } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

let server: TestServer;
let admin: TestUser;
beforeAll(async () => {
  server = await testServer();
  admin = await server.user({ role: ROLE.admin });
});
afterAll(() => server.close());

type BankQuery = NonNullable<CallInput<typeof listBank>['query']>;
type Open = Extract<Question, { kind: 'open' }>;

const newTeacher = () => server.user({ role: ROLE.teacher, userName: 'О. В. Лаптева' });
const newId = () => server.deps.newId();

/** A question that is ready, of a new id. */
const open = (text: string, more: Partial<Open> = {}): Open => ({
  questionId: newId(),
  kind: 'open',
  input: 'line',
  text,
  points: 1,
  accepted: [{ text: 'ответ', share: 1 }],
  tolerance: 0,
  ...more,
});

async function newTest(
  as: TestUser,
  questions: Question[],
  fields: { name?: string; theme?: 'physics' | 'math'; topic?: string; difficulty?: 'easy' } = {},
): Promise<string> {
  const reply = await server.send(
    createTest,
    { body: { ...newTestPayload(server.clock.now), ...fields, questions } },
    { as },
  );
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function write(as: TestUser, id: string, questions: readonly Question[]): Promise<void> {
  server.clock.advance(1_000);
  const { draftVersion } = (await server.send(getDraft, { params: { id } }, { as })).body;
  const order = questions.map(({ questionId }) => questionId);
  const reply = await server.send(
    saveDraft,
    { params: { id }, body: { draftVersion, order, changed: [...questions] } },
    { as },
  );
  expect(reply.status, reply.text).toBe(200);
}

async function found(as: TestUser, query: BankQuery = {}): Promise<BankEntry[]> {
  const reply = await server.send(listBank, { query }, { as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.items;
}
const texts = async (as: TestUser, query: BankQuery = {}) =>
  (await found(as, query)).map(({ question }) => question.text);
const entryOf = async (as: TestUser, text: string) =>
  nth(
    (await found(as, { pageSize: 100 })).filter(({ question }) => question.text === text),
    0,
  );
const remove = (as: TestUser, entryId: string) =>
  server.send(deleteBankEntry, { params: { entryId } }, { as });
const put = (as: TestUser, entryId: string, question: Question, theme: 'math' | '' = '') =>
  server.send(saveBankEntry, { params: { entryId }, body: { question, theme } }, { as });

describe('a question of a test', () => {
  test('is in the bank of only its teacher as soon as it is stored', async () => {
    const teacher = await newTeacher();
    const colleague = await newTeacher();
    const name = 'Динамика <b>1</b>';
    const testId = await newTest(teacher, [open('Первый')], { name, theme: 'physics' });
    await write(teacher, testId, [open('Второй'), open('  ')]);
    expect(await texts(teacher)).toEqual(['Второй', 'Первый']);
    const [second, first] = await found(teacher);
    expect(second).toMatchObject({
      theme: 'physics',
      uses: [{ testId, name }],
      usesCount: 1,
      facility: null,
      attempts: 0,
      updatedAt: server.clock.now.toISOString(),
    });
    expect(second?.question.questionId).toBe(second?.entryId);
    expect(first).toMatchObject({ uses: [], usesCount: 0 });
    expect(await found(colleague)).toEqual([]);
    expect(await found(admin)).toEqual([]);
    const facets = await server.send(getBankFacets, {}, { as: colleague });
    expect(facets.body.total).toBe(0);
    expect((await remove(colleague, second?.entryId ?? '')).status).toBe(404);
    const drawn = await server.send(
      pickFromBank,
      { body: { criteria: {}, mix: { any: 5 }, seed: 'семя' } },
      { as: colleague },
    );
    expect(drawn.body.items).toEqual([]);
  });

  test("edited by an admin is in the bank of the test's owner", async () => {
    const teacher = await newTeacher();
    const testId = await newTest(teacher, []);
    await write(admin, testId, [open('От администратора')]);
    expect(await texts(teacher)).toEqual(['От администратора']);
    expect(await found(admin, { searchQuery: 'От администратора' })).toEqual([]);
  });

  test('used in three tests is one entry with three uses, however it got there', async () => {
    const teacher = await newTeacher();
    const question = open('Один на всех');
    const first = await newTest(teacher, [question], { name: 'Первый тест' });
    const entry = nth(await found(teacher), 0);
    const second = await newTest(teacher, [copiedQuestion(entry.question, newId)]);
    const third = (await server.send(duplicateTest, { params: { id: first } }, { as: teacher }))
      .body;
    const [one, ...others] = await found(teacher);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ entryId: question.questionId, usesCount: 3 });
    expect(one?.uses.map(({ testId }) => testId).toSorted()).toEqual(
      [first, second, third].toSorted(),
    );
    expect(await texts(teacher, { notIn: second })).toEqual([]);
    await write(teacher, second, [open('Другой')]);
    expect(await texts(teacher, { notIn: second })).toEqual(['Один на всех']);
    expect(await entryOf(teacher, 'Один на всех')).toMatchObject({ usesCount: 2 });
    await server.send(deleteTest, { params: { id: first } }, { as: teacher });
    await server.send(deleteTest, { params: { id: third } }, { as: teacher });
    expect(await entryOf(teacher, 'Один на всех')).toMatchObject({ usesCount: 0, uses: [] });
  });

  test('is in the bank as it was last edited; a copy of an older text changes nothing', async () => {
    const teacher = await newTeacher();
    const question = open('Старые слова', { tags: ['одна'] });
    const testId = await newTest(teacher, [question]);
    const copy = copiedQuestion(nth(await found(teacher), 0).question, newId);
    const other = await newTest(teacher, [copy]);
    await write(teacher, testId, [{ ...question, text: 'Новые слова', tags: [] }]);
    expect(await texts(teacher)).toEqual(['Новые слова']);
    expect(await found(teacher, { searchQuery: 'старые' })).toEqual([]);
    expect(await found(teacher, { tag: 'одна' })).toEqual([]);
    await write(teacher, other, [open('Сосед'), copy]);
    await newTest(teacher, [copiedQuestion(copy, newId)]);
    expect((await texts(teacher)).toSorted()).toEqual(['Новые слова', 'Сосед']);
    await write(teacher, other, [{ ...copy, text: 'Самые новые слова' }]);
    expect((await texts(teacher)).toSorted()).toEqual(['Самые новые слова', 'Сосед']);
    const retained = await server.send(getDraft, { params: { id: testId } }, { as: teacher });
    expect(retained.body.questions.map(({ text }) => text)).toEqual(['Новые слова']);
  });

  test('of many variants made of one template is one entry', async () => {
    const teacher = await newTeacher();
    const [variantOf, templateId] = [newId(), newId()];
    const variants = [1, 2, 3].map((number) =>
      open(`Сколько будет ${number} + 1?`, {
        variantOf,
        origin: { kind: 'template', templateId, seed: 'семя', number },
      }),
    );
    await newTest(teacher, variants);
    const entries = await found(teacher);
    expect(entries).toMatchObject([{ entryId: variantOf, usesCount: 1 }]);
    expect(entries[0]?.question.variantOf).toBeUndefined();
  });

  test('of a test that is older than the bank is indexed at the start of the server', async () => {
    const teacher = await newTeacher();
    await makeTest(server, teacher);
    expect(await found(teacher)).toEqual([]);
    expect(await indexUnknownTests(server.pool)).toBeGreaterThan(0);
    expect((await texts(teacher)).toSorted()).toEqual(smallTest.map(({ text }) => text).toSorted());
    expect(await indexUnknownTests(server.pool)).toBe(0);
  });
});

describe('a question is found', () => {
  let teacher: TestUser;
  beforeAll(async () => {
    teacher = await newTeacher();
    await newTest(
      teacher,
      [
        open('Чему равна **сила** $F_1$?', { tags: ['ЕГЭ', 'контрольная'], title: 'Лёгкая сила' }),
        { ...nth(smallTest, 1), questionId: newId(), topic: 'Единицы' },
      ],
      { theme: 'physics', topic: 'Динамика', difficulty: 'easy' },
    );
    server.clock.advance(1_000);
    await newTest(
      teacher,
      [open('Корень уравнения? 100%', { difficulty: 'hard', tags: ['ЕГЭ'] })],
      {
        theme: 'math',
      },
    );
  });

  test.each<[string, BankQuery, string[]]>([
    ['text without its signs', { searchQuery: 'СИЛА F1' }, ['Чему равна **сила** $F_1$?']],
    ['text with its signs', { searchQuery: '$F_1$' }, ['Чему равна **сила** $F_1$?']],
    ['title, ё as е', { searchQuery: 'легкая' }, ['Чему равна **сила** $F_1$?']],
    ['option', { searchQuery: 'паскаль' }, ['Единица силы?']],
    ['tag, typed', { searchQuery: 'контрольн' }, ['Чему равна **сила** $F_1$?']],
    ['topic of its own, typed', { searchQuery: 'единицы' }, ['Единица силы?']],
    ['topic of its test, typed', { searchQuery: 'динамика' }, ['Чему равна **сила** $F_1$?']],
    ['a sign that means something in SQL', { searchQuery: '100%' }, ['Корень уравнения? 100%']],
    ['such a sign alone', { searchQuery: '%' }, ['Корень уравнения? 100%']],
    ['subject', { theme: 'math' }, ['Корень уравнения? 100%']],
    ['topic', { topic: 'Единицы' }, ['Единица силы?']],
    [
      'difficulty of its test',
      { difficulty: 'easy', kind: 'open' },
      ['Чему равна **сила** $F_1$?'],
    ],
    ['difficulty of its own', { difficulty: 'hard' }, ['Корень уравнения? 100%']],
    ['kind', { kind: 'variant' }, ['Единица силы?']],
    ['tag', { tag: 'ЕГЭ' }, ['Корень уравнения? 100%', 'Чему равна **сила** $F_1$?']],
    ['nothing that is there', { tag: "'; drop table bank_entries; --" }, []],
  ])('by %s', async (_, query, expected) => {
    expect(await texts(teacher, query)).toEqual(expected);
  });

  test('page by page, each once, with the number of all', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => {
        const query = { page, pageSize: 1 };
        const { body } = await server.send(listBank, { query }, { as: teacher });
        expect(body.total).toBe(3);
        return body.items.map(({ question }) => question.text);
      }),
    );
    expect(pages.map(({ length }) => length)).toEqual([1, 1, 1, 0]);
    expect(new Set(pages.flat()).size).toBe(3);
  });

  test('with the available filters', async () => {
    const facets = (query: CallInput<typeof getBankFacets>['query']) =>
      server.send(getBankFacets, { query: query ?? {} }, { as: teacher });
    expect((await facets({})).body).toEqual({
      total: 3,
      themes: [
        { value: 'physics', count: 2 },
        { value: 'math', count: 1 },
      ],
      topics: [
        { value: 'Динамика', count: 1 },
        { value: 'Единицы', count: 1 },
      ],
      difficulties: [
        { value: 'easy', count: 2 },
        { value: 'hard', count: 1 },
      ],
      kinds: [
        { value: 'open', count: 2 },
        { value: 'variant', count: 1 },
      ],
      tags: [
        { value: 'ЕГЭ', count: 2 },
        { value: 'контрольная', count: 1 },
      ],
      shared: [],
    });
    const ofMath = (await facets({ theme: 'math' })).body;
    expect(ofMath).toMatchObject({ topics: [], tags: [{ value: 'ЕГЭ', count: 1 }] });
    expect(ofMath.themes).toHaveLength(2);
  });

  test('under the subject that its test gets later, unless it has one of its own', async () => {
    const own = await newTeacher();
    const id = await newTest(own, [open('А'), open('Б', { topic: 'Своя', difficulty: 'hard' })]);
    const change = { theme: 'physics', topic: 'Общая', difficulty: 'easy' } as const;
    await server.send(updateTest, { body: { id, version: 1, ...change } }, { as: own });
    expect(await texts(own, { theme: 'physics', topic: 'Общая', difficulty: 'easy' })).toEqual([
      'А',
    ]);
    expect(await texts(own, { theme: 'physics', topic: 'Своя', difficulty: 'hard' })).toEqual([
      'Б',
    ]);
  });
});

describe('odd input', () => {
  test('stays text, and is found', async () => {
    const teacher = await newTeacher();
    const questions = HOSTILE_TEXTS.map((text) =>
      open(text, { title: text.slice(0, 200), tags: [text.slice(0, 50).trim()], topic: 'x' }),
    );
    await newTest(teacher, questions);
    const entries = await found(teacher, { pageSize: 100 });
    expect(new Set(entries.map(({ question }) => question.text))).toEqual(new Set(HOSTILE_TEXTS));
    for (const tag of ['<script>alert(1)</script>', '- [x] <input autofocus onfocus=alert(1)>'])
      expect(await texts(teacher, { tag })).toEqual([tag]);
    const facets = await server.send(getBankFacets, {}, { as: teacher });
    expect(facets.body.tags.map(({ value }) => value)).toContain('<script>alert(1)</script>');
  });
});

describe('an entry', () => {
  test('that was removed stays removed while tests use it, until it is restored', async () => {
    const teacher = await newTeacher();
    const question = open('Ненужный');
    const testId = await newTest(teacher, [question]);
    expect((await remove(teacher, question.questionId)).body).toEqual({ deleted: true });
    expect((await remove(teacher, question.questionId)).status).toBe(404);
    await write(teacher, testId, [{ ...question, text: 'Всё ещё ненужный' }]);
    expect(await found(teacher)).toEqual([]);
    const reply = await put(teacher, question.questionId, { ...question, text: 'Нужный' }, 'math');
    expect(reply.body).toEqual({ updatedAt: server.clock.now.toISOString() });
    expect(await found(teacher)).toMatchObject([
      { entryId: question.questionId, theme: 'math', usesCount: 1, question: { text: 'Нужный' } },
    ]);
    const retained = await server.send(getDraft, { params: { id: testId } }, { as: teacher });
    expect(retained.body.questions[0]?.text).toBe('Всё ещё ненужный');
    await write(teacher, testId, [{ ...question, text: 'Всё ещё ненужный' }, open('Ещё')]);
    expect(await texts(teacher, { searchQuery: 'нужный' })).toEqual(['Нужный']);
  });

  test("created beside all tests, or under a foreign id, is the caller's own", async () => {
    const [teacher, colleague] = [await newTeacher(), await newTeacher()];
    const question = open('Сам по себе');
    await put(teacher, question.questionId, question);
    await put(colleague, question.questionId, { ...question, text: 'Чужой' });
    expect(await texts(teacher)).toEqual(['Сам по себе']);
    expect(await texts(colleague)).toEqual(['Чужой']);
    expect((await remove(colleague, question.questionId)).status).toBe(200);
    expect(await texts(teacher)).toEqual(['Сам по себе']);
  });
});

test('a removed entry is drawn no more, and one that is restored brings back no other', async () => {
  const [teacher, colleague] = [await newTeacher(), await newTeacher()];
  const [first, second] = [open('Первый', { tags: ['убран'] }), open('Второй')];
  for (const as of [teacher, colleague])
    for (const question of [first, second]) await put(as, question.questionId, question);
  for (const as of [teacher, colleague])
    for (const { questionId } of [first, second]) await remove(as, questionId);
  const draw = async (as: TestUser) => {
    const body = { criteria: {}, mix: { any: 9 }, seed: 'семя' };
    const answered = await server.send(pickFromBank, { body }, { as });
    return answered.body.items.map(({ question }) => question.text);
  };
  expect(await draw(teacher)).toEqual([]);
  await put(teacher, second.questionId, second);
  expect([await texts(teacher), await texts(colleague)]).toEqual([['Второй'], []]);
  expect([await draw(teacher), await draw(colleague)]).toEqual([['Второй'], []]);
  const facets = await server.send(getBankFacets, {}, { as: teacher });
  expect(JSON.stringify(facets.body)).not.toContain('убран');
});

describe('items of a file', () => {
  const item = (text: string, source: string): Open => ({
    ...open(text),
    origin: { kind: 'import', format: 'gift', source },
  });
  const known = async (as: TestUser, ...sources: string[]) => {
    const reply = await server.send(findImported, { body: { sources } }, { as });
    expect(reply.status, reply.text).toBe(200);
    return reply.body.sources.toSorted();
  };

  test('are known only to their teacher as soon as any test has them, edited or not', async () => {
    const [teacher, colleague] = [await newTeacher(), await newTeacher()];
    const first = item('Первый', 'a1');
    const testId = await newTest(teacher, [first]);
    await newTest(teacher, [item('Второй', 'b2'), open('Без файла')]);
    expect(await known(teacher, 'a1', 'b2', 'c3')).toEqual(['a1', 'b2']);
    await write(teacher, testId, [{ ...first, text: 'Первый, с правкой' }, item('Третий', 'c3')]);
    expect(await known(teacher, 'a1', 'c3', 'c3')).toEqual(['a1', 'c3']);
    expect(await known(colleague, 'a1', 'b2')).toEqual([]);
    expect(await known(teacher)).toEqual([]);
  });

  test('removed from the bank are new again', async () => {
    const teacher = await newTeacher();
    const question = item('Лишний', 'a1');
    await newTest(teacher, [question]);
    await remove(teacher, question.questionId);
    expect(await known(teacher, 'a1')).toEqual([]);
  });

  test('may be as many as one file has, and no more', async () => {
    const teacher = await newTeacher();
    const many = Array.from({ length: QUESTIONS_PER_FILE + 1 }, (_, at) =>
      `${at}`.padStart(11, 's'),
    );
    expect(await known(teacher, ...many.slice(1))).toEqual([]);
    const reply = await server.send(findImported, { body: { sources: many } }, { as: teacher });
    expect(reply.status).toBe(400);
  });
});

describe('facility', () => {
  const single = nth(smallTest, 1);
  const several = nth(smallTest, 2);
  const essay = nth(smallTest, 5);
  const wrong = { ...RIGHT.single, optionIds: ['a'] };

  test('is the mean share of the points over ended attempts, by hand-checked figures', async () => {
    const { teacher, testId, devices } = await startClass(server, ['А', 'Б', 'В', 'Г'], {
      questions: [single, several, essay],
    });
    await indexUnknownTests(server.pool);
    const figures = async () =>
      Object.fromEntries(
        (await found(teacher)).map((entry) => [
          entry.question.text,
          [entry.facility, entry.attempts],
        ]),
      );
    expect(await figures()).toEqual({
      [single.text]: [null, 0],
      [several.text]: [null, 0],
      [essay.text]: [null, 0],
    });
    const [a, b, c] = [nth(devices, 0), nth(devices, 1), nth(devices, 2)];
    const written = { questionId: Q.essay, kind: 'open', text: 'Опыт' } as const;
    await sit(a, [RIGHT.single, { ...RIGHT.several, optionIds: ['a'] }, written]);
    await sit(b, [RIGHT.single]);
    await sit(c, [wrong, RIGHT.several]);
    await nth(devices, 3).answer(RIGHT.single);
    // Single: 1, 1, 0. Several: half, unanswered, whole. Essay: one waits, two unanswered are 0.
    expect(await figures()).toEqual({
      [single.text]: [2 / 3, 3],
      [several.text]: [0.5, 3],
      [essay.text]: [0, 2],
    });
    const graded = await server.send(
      gradeItem,
      { params: { attemptId: a.attemptId }, body: { questionId: Q.essay, points: 4 } },
      { as: teacher },
    );
    expect(graded.status, graded.text).toBe(200);
    expect((await figures())[essay.text]).toEqual([expect.closeTo(4 / 5 / 3, 10), 3]);
    expect(await texts(teacher, { sortOrder: 'facility' })).toEqual([
      essay.text,
      several.text,
      single.text,
    ]);
    await server.pool.query('update attempts set deleted_at = $2 where id = $1', [
      c.attemptId,
      server.clock.now,
    ]);
    expect((await figures())[single.text]).toEqual([1, 2]);
    await server.pool.query('update attempts set deleted_at = $2 where test_id = $1', [
      testId,
      server.clock.now,
    ]);
    expect((await figures())[single.text]).toEqual([null, 0]);
  });

  test('covers all tests that use the question, also those that dropped it', async () => {
    const first = await startClass(server, ['А', 'Б'], { questions: [single, several] });
    await indexUnknownTests(server.pool);
    const { teacher } = first;
    const entry = await entryOf(teacher, single.text);
    const copy = copiedQuestion(entry.question, newId);
    const other = await startClass(server, ['В'], { questions: [copy] });
    await server.pool.query('update tests set owner_id = $1 where id = $2', [
      teacher.userId,
      other.testId,
    ]);
    await indexUnknownTests(server.pool);
    await sit(nth(first.devices, 0), [RIGHT.single]);
    await sit(nth(first.devices, 1), [wrong]);
    await sit(nth(other.devices, 0), [{ ...wrong, questionId: copy.questionId }]);
    expect(await entryOf(teacher, single.text)).toMatchObject({
      usesCount: 2,
      attempts: 3,
      facility: 1 / 3,
    });
    await write(teacher, first.testId, [several]);
    expect(await entryOf(teacher, single.text)).toMatchObject({
      usesCount: 1,
      attempts: 3,
      facility: 1 / 3,
    });
  });

  test('of more attempts than a call waits for is computed by the job', async () => {
    const { teacher, devices } = await startClass(server, ['А', 'Б'], { questions: [single] });
    await indexUnknownTests(server.pool);
    for (const device of devices) await sit(device, [RIGHT.single]);
    const part = { ownerId: teacher.userId, most: 1 };
    expect(await refreshFigures(server.pool, { ...part, least: 0 })).toBe(false);
    expect(await refreshFigures(server.pool, { ...part, least: 1 })).toBe(true);
    expect(await refreshFigures(server.pool, { ...part, least: 0 })).toBe(true);
    expect(await found(teacher)).toMatchObject([{ facility: 1, attempts: 2 }]);
  });

  test('orders by uses and by the last edit as requested', async () => {
    const teacher = await newTeacher();
    const [a, b] = [open('А'), open('Б')];
    await newTest(teacher, [a]);
    server.clock.advance(MINUTE_MS);
    await newTest(teacher, [b]);
    await newTest(teacher, [copiedQuestion(a, newId)]);
    expect(await texts(teacher)).toEqual(['Б', 'А']);
    expect(await texts(teacher, { sortOrder: 'uses' })).toEqual(['А', 'Б']);
    expect(await texts(teacher, { sortOrder: 'facility' })).toEqual(['Б', 'А']);
  });
});

describe('a draw', () => {
  let teacher: TestUser;
  const level = (count: number, difficulty: 'easy' | 'medium' | 'hard') =>
    Array.from({ length: count }, (_, i) =>
      open(`${difficulty} ${i}`, {
        difficulty,
        tags: [i % 2 === 0 ? 'чёт' : 'нечет'],
        topic: `Т${i}`,
      }),
    );
  beforeAll(async () => {
    teacher = await newTeacher();
    await newTest(teacher, [...level(12, 'easy'), ...level(6, 'medium'), ...level(2, 'hard')], {
      theme: 'physics',
    });
    await newTest(teacher, [
      ...Array.from({ length: 30 }, (_, i) => open(`Не готов ${i}`, { points: 0 })),
      open('Готов'),
    ]);
  });
  const draw = async (body: Partial<CallInput<typeof pickFromBank>['body']>) => {
    const all = { criteria: {}, mix: {}, seed: 'семя', ...body };
    const reply = await server.send(pickFromBank, { body: all }, { as: teacher });
    expect(reply.status, reply.text).toBe(200);
    const { items, shortages } = reply.body;
    return { texts: items.map(({ question }) => question.text), items, shortages };
  };

  test('of the same seed is the same, of another seed another; one more leaves the rest', async () => {
    const mix = { easy: 4, medium: 2 };
    const drawn = await draw({ mix });
    expect(drawn.texts).toHaveLength(6);
    expect((await draw({ mix })).texts).toEqual(drawn.texts);
    expect((await draw({ mix, seed: 'другое' })).texts).not.toEqual(drawn.texts);
    const more = await draw({ mix: { easy: 5, medium: 2 } });
    expect(more.texts).toEqual(expect.arrayContaining(drawn.texts));
  });

  test('satisfies the mix, never draws one twice, and reports where the bank is short', async () => {
    const { texts: drawn, shortages } = await draw({
      criteria: { theme: 'physics' },
      mix: { easy: 3, medium: 7, hard: 2, any: 20 },
    });
    const count = (word: string) => drawn.filter((text) => text.startsWith(word)).length;
    expect([count('easy'), count('medium'), count('hard')]).toEqual([12, 6, 2]);
    expect(new Set(drawn).size).toBe(20);
    expect(shortages).toEqual([
      { difficulty: 'medium', wanted: 7, found: 6 },
      { difficulty: 'any', wanted: 20, found: 9 },
    ]);
  });

  test('satisfies topics, tags and kinds, and leaves out what is excluded', async () => {
    const criteria = { theme: 'physics', topics: ['Т1', 'Т2'], tags: ['чёт'] } as const;
    const both = await draw({
      criteria: { ...criteria, topics: [...criteria.topics], tags: [...criteria.tags] },
      mix: { any: 10 },
    });
    expect(both.texts.toSorted()).toEqual(['easy 2', 'medium 2']);
    expect((await draw({ criteria: { kinds: ['file'] }, mix: { any: 1 } })).texts).toEqual([]);
    const exclude = both.items.map(({ entryId }) => entryId);
    const others = await draw({ mix: { any: 100 }, exclude });
    expect(others.texts).toHaveLength(19);
    expect(others.texts).not.toEqual(expect.arrayContaining(['easy 2']));
  });

  test('never returns a question that could not be published', async () => {
    const { texts: drawn, shortages } = await draw({ mix: { any: 100 } });
    expect(drawn).toHaveLength(21);
    expect(drawn).toContain('Готов');
    expect(drawn.some((text) => text.startsWith('Не готов'))).toBe(false);
    expect(shortages).toEqual([{ difficulty: 'any', wanted: 100, found: 21 }]);
  });
});

test('a draw selects one of equal entries, and none equal to a question of the test', async () => {
  const teacher = await newTeacher();
  const twice = () => [
    open('Чему равно  g?\n', { points: 2, topic: 'Сила' }),
    nth(
      smallTest.filter(({ kind }) => kind === 'variant'),
      0,
    ),
  ];
  const typed = twice().map((question) => ({ ...question, questionId: newId() }));
  const again = twice().map((question) => ({
    ...question,
    questionId: newId(),
    difficulty: 'easy' as const,
  }));
  await newTest(teacher, typed);
  await newTest(teacher, again);
  await newTest(teacher, [open('Чему равно g?', { points: 5 })]);
  const pick = async (exclude: string[]) =>
    (
      await server.send(
        pickFromBank,
        { body: { criteria: {}, mix: { easy: 1, any: 10 }, seed: 'семя', exclude } },
        { as: teacher },
      )
    ).body;
  const { items, shortages } = await pick([]);
  expect(new Set(items.map(({ question }) => question.kind))).toEqual(new Set(['open', 'variant']));
  expect(items).toHaveLength(2);
  expect(shortages).toEqual([{ difficulty: 'any', wanted: 10, found: 1 }]);
  const inTest = typed.map(({ questionId }) => questionId);
  expect((await pick(inTest)).items).toEqual([]);
});

test('students have no bank', async () => {
  const student = await server.user();
  const reply = await server.send(listBank, {}, { as: student });
  expect([reply.status, errorOf(reply).code]).toEqual([403, 'FORBIDDEN']);
});
