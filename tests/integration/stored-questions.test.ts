import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '#contract/answers.ts';
import { ROLE } from '#contract/auth.ts';
import { updateTest } from '#contract/authoring.ts';
import { listBank } from '#contract/bank.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { correctKey } from '#contract/grading.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { getFile } from '#contract/files.ts';
import { getResult } from '#contract/results.ts';
import { getAnalysis } from '#contract/statistics.ts';
import { getTest } from '#contract/tests.ts';
import { mixStoredQuestions } from '#server/authoring/mix-stored-questions.ts';
import { indexQuestions } from '#server/bank/index-questions.ts';
import { execute, rows, transaction } from '#server/db/query.ts';
import {
  attack,
  betterThanChance,
  PARTS,
  type StolenReply,
  typedQuestions,
} from '#tests/key-attack.ts';
import { makeTest, TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

const QUESTIONS = 60;

/** Data of an older version: ids that reveal their time, and right columns in the order of their keys. */
const old = typedQuestions(QUESTIONS, v7);
/** Two alternatives for each place, as an older version stored them. */
const alternatives = typedQuestions(2, v7)
  .filter(({ kind }) => kind === 'compliance')
  .map((question, _, [first]) => ({ ...question, variantOf: first?.questionId ?? '' }));

/** Pictures on both sides, sent one after another. */
const pictures = Array.from({ length: 4 }, () => v7());
const pictured: Question[] = [
  {
    questionId: v7(),
    kind: 'compliance',
    text: `![Схема](file:${pictures[0]})`,
    points: 1,
    shuffle: true,
    left: [0, 1].map((place) => ({ leftId: `${place}`, text: `![](file:${pictures[2 * place]})` })),
    right: [0, 1].map((place) => ({
      rightId: `${place}`,
      text: `![](file:${pictures[2 * place + 1]})`,
    })),
    pairs: [0, 1].map((place) => ({ leftId: `${place}`, rightId: `${place}` })),
  },
];

let server: TestServer;
let teacher: TestUser;
let testId: string;
let variantsId: string;
let picturedId: string;
/** Started before the server was updated. */
let running: TestDevice;
let runningVariant: TestDevice;
let runningPictured: TestDevice;

/** The bank as the older version filled it. */
const index = (questions: readonly Question[], id: string) =>
  transaction(server.pool, (client) =>
    indexQuestions(client, id, { questions, now: server.clock.now }),
  );

beforeAll(async () => {
  server = await testServer();
  teacher = await server.user({ role: ROLE.teacher });
  testId = await makeTest(server, teacher, { questions: old, openToAll: true, attemptsCount: 2 });
  variantsId = await makeTest(server, teacher, { questions: alternatives, openToAll: true });
  await execute(
    server.pool,
    `insert into test_drafts (test_id, version, questions, updated_at) values ($1, 2, $2, $3)`,
    [testId, JSON.stringify(old), server.clock.now],
  );
  picturedId = await makeTest(server, teacher, { questions: pictured, openToAll: true });
  await execute(
    server.pool,
    `with kept as (
       insert into pictures (key, owner_id, digest, mime_type, bytes, created_at)
       select key, $2, decode(md5(key::text), 'hex'), 'image/png', '', $3 from unnest($1::uuid[]) as p (key)
     )
     insert into picture_uses (key, test_id) select key, $4 from unnest($1::uuid[]) as p (key)`,
    [pictures, teacher.userId, server.clock.now, picturedId],
  );
  await index(pictured, picturedId);
  await index(old, testId);
  await index(alternatives, variantsId);
  running = new TestDevice(server, await server.user({ userName: 'Анна' }));
  await running.start(testId);
  runningVariant = new TestDevice(server, await server.user());
  await runningVariant.start(variantsId);
  runningPictured = new TestDevice(server, await server.user());
  await runningPictured.start(picturedId);
  // Concurrent starts find it done.
  await Promise.all([1, 2, 3].map(() => mixStoredQuestions(server.deps)));
});
afterAll(() => server.close());

/** The right answer, in the ids that a student was sent. */
function rightAnswer(question: Question): Answer {
  const { questionId } = question;
  if (question.kind === 'variant') {
    const right = question.options.filter(({ isRight }) => isRight);
    return { questionId, kind: 'variant', optionIds: right.map(({ optionId }) => optionId) };
  }
  if (question.kind !== 'compliance') throw new Error('of no such kind');
  return { questionId, kind: 'compliance', pairs: question.pairs };
}

const keyed = async (id: string) =>
  (await server.send(getTest, { params: { id } }, { as: teacher })).body.questions as Question[];

async function stolen(device: TestDevice, id: string): Promise<StolenReply> {
  const { body, status, text } = await device.start(id);
  expect(status, text).toBe(200);
  return { attemptId: body.userTestId, questions: body.questions };
}

const unproven = (reply: StolenReply, keys: readonly Question[]) =>
  attack(reply, keys).filter(betterThanChance);

test('a new attempt on an old test reveals nothing of its keys', async () => {
  const device = new TestDevice(server, await server.user());
  const reply = await stolen(device, testId);
  expect(reply.questions).toHaveLength(2 * QUESTIONS);
  expect(unproven(reply, await keyed(testId))).toEqual([]);
});

test('no stored right column is in the order of its key', async () => {
  const stored = await rows<{ questions: Question[] }>(
    server.pool,
    `select questions from test_contents where test_id = $1
     union all select questions from test_drafts where test_id = $1
     union all select jsonb_agg(question order by question ->> 'text') from bank_entries
       where owner_id = $2`,
    [testId, teacher.userId],
  );
  // The old content, its replacement, the working copy and the bank.
  expect(stored).toHaveLength(4);
  for (const { questions } of stored) {
    const reply = { attemptId: '', questions: questions as StudentQuestion[] };
    const loot = attack(reply, questions).filter(
      ({ guess, kind }) => kind === 'compliance' && guess.startsWith('the order'),
    );
    expect(loot).toHaveLength(2);
    expect(loot.filter(betterThanChance)).toEqual([]);
  }
});

test('a running attempt keeps its questions, and its answers count', async () => {
  const { questions } = await stolen(running, testId);
  const ids = (list: readonly (Question | StudentQuestion)[]) =>
    list.flatMap((question) =>
      question.kind === 'variant'
        ? question.options.map(({ optionId }) => optionId).toSorted()
        : [],
    );
  expect(ids(questions)).toEqual(ids(old));
  const [choice, ...others] = old;
  if (choice?.kind !== 'variant') throw new Error('of another kind');
  const second = [choice.options[1]?.optionId ?? ''];
  const wrong: Answer = { questionId: choice.questionId, kind: 'variant', optionIds: second };
  for (const answer of [wrong, ...others.slice(0, 3).map(rightAnswer)]) {
    const { body } = await running.answer(answer);
    expect(body.outcome).toBe('stored');
  }
  await running.finish();
  const params = { attemptId: running.attemptId };
  const result = await server.send(getResult, { params }, { as: running.student });
  expect(result.body.score).toBe(3);
});

test('statistics identify an option in old and new attempts, and so does a corrected key', async () => {
  const device = new TestDevice(server, await server.user({ userName: 'Борис' }));
  await device.start(testId);
  const [choice, matching] = await keyed(testId);
  if (choice?.kind !== 'variant' || matching?.kind !== 'compliance') throw new Error('other kinds');
  await device.answer(rightAnswer(choice));
  await device.answer(rightAnswer(matching));
  await device.finish();
  const params = { id: testId };
  const { body } = await server.send(getAnalysis, { params, query: {} }, { as: teacher });
  const [first, second] = body.items;
  expect(first).toMatchObject({ versions: 1, answered: 2 });
  expect(first?.choices.map(({ count, isRight }) => [count, isRight])).toEqual([
    [1, true],
    [1, false],
    [0, false],
    [0, false],
    [0, false],
  ]);
  expect(second).toMatchObject({ versions: 1, answered: 2 });
  expect(second?.choices.map(({ count, isRight }) => [count, isRight])).toEqual(
    Array.from({ length: 5 }, () => [2, true]),
  );

  const options = choice.options.map((option, place) => ({ ...option, isRight: place === 1 }));
  const question = { ...choice, options };
  const mended = await server.send(
    correctKey,
    { params, body: { question, reason: 'Верен второй' } },
    { as: teacher },
  );
  expect(mended.body.changed, mended.text).toMatchObject([
    { userName: 'Анна', oldPoints: 3, newPoints: 4 },
    { userName: 'Борис', oldPoints: 2, newPoints: 1 },
  ]);
});

test('alternatives continue where they were, with ids that reveal nothing', async () => {
  const other = new TestDevice(server, await server.user());
  const first = await stolen(runningVariant, variantsId);
  const second = await stolen(other, variantsId);
  const keys = await keyed(variantsId);
  const textsOf = ({ questions }: StolenReply) => questions.map(({ text }) => text);
  expect([...textsOf(first), ...textsOf(second)].toSorted()).toEqual(
    keys.map(({ text }) => text).toSorted(),
  );
  const timedIds = ({ questions }: StolenReply) =>
    JSON.stringify(questions).match(/"(?:left|right)Id":"[0-9a-f-]{14}7/g) ?? [];
  expect(timedIds(first)).toHaveLength(2 * PARTS);
  expect(timedIds(second)).toEqual([]);
});

test('pictures of parts have other keys, under which students see them; the old ones stay with old attempts', async () => {
  const seen = async (device: TestDevice) => {
    const { questions } = await stolen(device, picturedId);
    const keys = [...JSON.stringify(questions).matchAll(/file:([0-9a-f-]{36})/g)].map(
      ([, key = '']) => key,
    );
    for (const path of keys) {
      const reply = await server.send(getFile, { query: { path } }, { as: device.student });
      expect(reply.status, reply.text).toBe(200);
    }
    return keys;
  };
  const [text, ...parts] = await seen(new TestDevice(server, await server.user()));
  expect(text).toBe(pictures[0]);
  expect(new Set(parts).size).toBe(4);
  for (const key of parts) expect(pictures).not.toContain(key);
  expect((await seen(runningPictured)).toSorted()).toEqual(
    [pictures[0] ?? '', ...pictures].toSorted(),
  );
  const bank = await rows<{ written: string }>(
    server.pool,
    'select question::text as written from bank_entries where entry_id = $1',
    [pictured[0]?.questionId],
  );
  for (const key of parts) expect(bank[0]?.written).toContain(key);
});

test('an open editor continues: a save with the old ids is no change, and the bank keeps its text', async () => {
  const params = { id: testId };
  const before = await server.send(getDraft, { params }, { as: teacher });
  const bank = await server.send(listBank, { query: {} }, { as: teacher });
  server.clock.advance(60_000);
  const body = {
    draftVersion: before.body.draftVersion,
    order: before.body.questions.map(({ questionId }) => questionId),
    changed: old.slice(2),
  };
  const saved = await server.send(saveDraft, { params, body }, { as: teacher });
  expect(saved.body, saved.text).toMatchObject({ draftVersion: before.body.draftVersion });
  const { body: whole } = await server.send(getTest, { params }, { as: teacher });
  const put = await server.send(
    updateTest,
    { body: { id: testId, version: whole.version, questions: whole.questions as Question[] } },
    { as: teacher },
  );
  expect(put.status, put.text).toBe(200);
  expect((await server.send(listBank, { query: {} }, { as: teacher })).body).toEqual(bank.body);
  const retyped = before.body.questions.at(-1);
  if (!retyped) throw new Error('no question');
  await server.send(
    saveDraft,
    { params, body: { ...body, changed: [{ ...retyped, text: 'Иначе' }] } },
    { as: teacher },
  );
  const entries = await rows<{ updated: number }>(
    server.pool,
    'select count(*) as updated from bank_entries where owner_id = $1 and updated_at = $2',
    [teacher.userId, server.clock.now],
  );
  expect(entries).toEqual([{ updated: 1 }]);
});

test('it is done once', async () => {
  const state = () =>
    rows(
      server.pool,
      `select id::text, xmin::text from test_contents union all
       select test_id::text, xmin::text from test_drafts union all
       select entry_id::text, xmin::text from bank_entries order by 1`,
    );
  const before = await state();
  await mixStoredQuestions(server.deps);
  expect(await state()).toEqual(before);
});
