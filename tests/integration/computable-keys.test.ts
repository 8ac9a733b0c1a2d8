import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AiEvent, draftQuestions } from '#contract/ai.ts';
import { ROLE } from '#contract/auth.ts';
import { createTest, duplicateTest, setLifecycle, updateTest } from '#contract/authoring.ts';
import { listBank, saveBankEntry } from '#contract/bank.ts';
import { saveDraft } from '#contract/drafts.ts';
import { HEADER } from '#contract/headers.ts';
import { getAttemptPreview } from '#contract/results.ts';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { getTest } from '#contract/full-test.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { readFile } from '#interchange/formats.ts';
import type { FormatId } from '#interchange/model.ts';
import { buildApp } from '#server/app.ts';
import { type AiProvider, startAiProvider, writtenLine } from '#tests/ai-provider.ts';
import { eventsOf } from '#tests/events.ts';
import {
  attack,
  betterThanChance,
  PARTS,
  typedGaps,
  typedOrderings,
  typedQuestions,
} from '#tests/key-attack.ts';
import { TestDevice } from '#tests/school.ts';
import { type TestServer, type TestUser, testServer } from '#tests/server.ts';

/** Questions of each kind in a test: enough to detect a leak of a part of the keys. */
const QUESTIONS = 60;

let provider: AiProvider;
let server: TestServer;
let base: string;
let teacher: TestUser;
beforeAll(async () => {
  provider = await startAiProvider();
  const ai = {
    baseUrl: provider.url,
    apiKey: null,
    model: 'school-1',
    timeoutMs: 60_000,
    requestsPerDay: 100,
  };
  server = await testServer({ settings: { ai } });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  teacher = await server.user({ role: ROLE.teacher });
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const unshuffled = (question: Question): Question =>
  question.kind === 'compliance' ? { ...question, shuffle: false } : question;

async function made(questions: readonly Question[]): Promise<string> {
  const body = {
    name: 'Тест',
    description: '',
    theme: '' as const,
    difficulty: '' as const,
    attemptsCount: 3,
    startTestTime: '2026-03-01T06:00:00.000Z',
    endTestTime: '2026-04-02T06:00:00.000Z',
    passTestTime: '10:00:00',
    maxPoints: 0,
    questions: [...questions],
  };
  const reply = await server.send(createTest, { body }, { as: teacher });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** As an editor does it: an empty test, then its working copy. */
async function edited(questions: readonly Question[]): Promise<string> {
  const testId = await made([]);
  const reply = await server.send(
    saveDraft,
    {
      params: { id: testId },
      body: {
        draftVersion: 1,
        order: questions.map(({ questionId }) => questionId),
        changed: [...questions],
      },
    },
    { as: teacher },
  );
  expect(reply.status, reply.text).toBe(200);
  return testId;
}

async function imported(format: FormatId, text: string): Promise<string> {
  const file = { name: 'тест', bytes: new TextEncoder().encode(text) };
  const { items } = await readFile(file, format, { newId: randomUUID });
  expect(items).toHaveLength(2 * QUESTIONS);
  return edited(items.map(({ question }) => question));
}

const gift = (): string =>
  numbers(QUESTIONS)
    .map((number) => {
      const options = numbers(PARTS).map((place) => `${place === 0 ? '=' : '~'}${place}`);
      const pairs = numbers(PARTS).map((place) => `=слева ${place} -> справа ${place}`);
      return `// [shuffle:yes]\nВыбор ${number} {${options.join(' ')}}\n\nПары ${number} {${pairs.join(' ')}}\n`;
    })
    .join('\n');

const moodle = (): string => {
  const name = (number: number) => `<name><text>${number}</text></name>`;
  const text = (words: string) =>
    `<questiontext format="html"><text>${words}</text></questiontext>`;
  const questions = numbers(QUESTIONS).map((number) => {
    const options = numbers(PARTS).map(
      (place) =>
        `<answer fraction="${place === 0 ? 100 : 0}" format="html"><text>${place}</text></answer>`,
    );
    const pairs = numbers(PARTS).map(
      (place) =>
        `<subquestion format="html"><text>слева ${place}</text><answer><text>справа ${place}</text></answer></subquestion>`,
    );
    return `<question type="multichoice">${name(number)}${text('Выбор')}<single>true</single><shuffleanswers>true</shuffleanswers>${options.join('')}</question>
<question type="matching">${name(number)}${text('Пары')}<shuffleanswers>true</shuffleanswers>${pairs.join('')}</question>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><quiz>${questions.join('\n')}</quiz>`;
};

/** Number of questions requested from the provider at one time. */
const AI_AT_ONCE = 30;

async function drafted(): Promise<Question[]> {
  const lines = numbers(AI_AT_ONCE / 2).map((number) => {
    const options = numbers(PARTS).map((place) => ({ text: `${place}`, right: place === 0 }));
    const pairs = numbers(PARTS).map((place) => ({
      left: `слева ${place}`,
      right: `справа ${place}`,
    }));
    return (
      writtenLine({ kind: 'variant', text: `Выбор ${number}`, multiple: false, options }) +
      writtenLine({ kind: 'compliance', text: `Пары ${number}`, pairs, extra: [] })
    );
  });
  provider.answer({ kind: 'stream', pieces: lines });
  const response = await fetch(base + draftQuestions.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${teacher.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      theme: 'physics',
      difficulty: '',
      topic: 'Сила',
      wishes: '',
      source: '',
      kinds: ['variant', 'compliance'],
      count: AI_AT_ONCE,
      existing: [],
    }),
  });
  const questions: Question[] = [];
  for await (const data of eventsOf(response)) {
    const event = v.parse(AiEvent, data);
    if (event.kind === 'question') questions.push(event.question);
  }
  return questions;
}

async function fromAi(): Promise<string> {
  const questions: Question[] = [];
  while (questions.length < 2 * QUESTIONS) questions.push(...(await drafted()));
  return edited(questions);
}

/** Entries saved in the bank alone, then used in a test. */
async function fromBank(): Promise<string> {
  for (const question of typedQuestions(QUESTIONS, randomUUID)) {
    const input = {
      params: { entryId: question.questionId },
      body: { question, theme: '' as const },
    };
    const reply = await server.send(saveBankEntry, input, { as: teacher });
    expect(reply.status, reply.text).toBe(200);
  }
  const picked: Question[] = [];
  for (let page = 1; picked.length < 2 * QUESTIONS; page += 1) {
    const reply = await server.send(listBank, { query: { page } }, { as: teacher });
    expect(reply.body.items.length, reply.text).toBeGreaterThan(0);
    picked.push(...reply.body.items.map(({ question }) => copiedQuestion(question, randomUUID)));
  }
  return edited(picked);
}

/** Questions of a published test that replace an empty list. */
async function put(questions: readonly Question[]): Promise<string> {
  const testId = await made([]);
  const body = { id: testId, version: 1, questions: [...questions] };
  const reply = await server.send(updateTest, { body }, { as: teacher });
  expect(reply.status, reply.text).toBe(200);
  return testId;
}

async function copied(questions: readonly Question[]): Promise<string> {
  const params = { id: await made(questions) };
  const reply = await server.send(duplicateTest, { params }, { as: teacher });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function publish(testId: string): Promise<Question[]> {
  const reply = await server.send(
    setLifecycle,
    { params: { id: testId }, body: { lifecycle: 'active' } },
    { as: teacher },
  );
  expect(reply.status, reply.text).toBe(200);
  await server.send(
    updateTest,
    { body: { id: testId, version: reply.body.version, openToAll: true } },
    { as: teacher },
  );
  const { body } = await server.send(getTest, { params: { id: testId } }, { as: teacher });
  return body.questions as Question[];
}

/** A class starts; nobody answers anything. */
async function stolen(testId: string) {
  const replies = [];
  for (let student = 0; student < 3; student += 1) {
    const device = new TestDevice(server, await server.user());
    const { body, text, status } = await device.start(testId);
    expect(status, text).toBe(200);
    replies.push({ attemptId: body.userTestId, questions: body.questions });
  }
  return replies;
}

/** All kinds with parts that are shown in an order. */
const typed = (newId: () => string): Question[] => [
  ...typedQuestions(QUESTIONS, newId),
  ...typedOrderings(QUESTIONS, newId),
  ...typedGaps(QUESTIONS, newId),
];

describe("an attacker with the reply to a start and the app's code guesses no better than chance", () => {
  test.each<[string, () => Promise<string>]>([
    ['an editor’s test', () => edited(typed(randomUUID))],
    ['a test sent whole', () => made(typed(randomUUID))],
    ['questions put into a test', () => put(typed(randomUUID))],
    ['a matching that is not shuffled', () => edited(typed(randomUUID).map(unshuffled))],
    ['ids that carry their time', () => edited(typed(v7))],
    ['a copy of a test', () => copied(typed(v7))],
    ['GIFT', () => imported('gift', gift())],
    ['Moodle XML', () => imported('moodleXml', moodle())],
    ['drafts by a provider', fromAi],
    ['entries of the bank', fromBank],
  ])('%s', async (_, make) => {
    const testId = await make();
    const keyed = await publish(testId);
    for (const reply of await stolen(testId)) {
      const loot = attack(reply, keyed);
      for (const each of loot) expect(each.questions, each.guess).toBeGreaterThanOrEqual(QUESTIONS);
      expect(loot.filter(betterThanChance)).toEqual([]);
    }
  });
});

/** Parts of questions in the order that they arrived in. */
const orders = (questions: readonly (Question | StudentQuestion)[]) =>
  questions.map((question) =>
    question.kind === 'variant'
      ? question.options.map(({ optionId }) => optionId)
      : question.kind === 'compliance'
        ? question.right.map(({ rightId }) => rightId)
        : [],
  );

test('one attempt has one order: at each start, in the test, after a restart and in its preview', async () => {
  const testId = await edited(typedQuestions(QUESTIONS, randomUUID));
  await publish(testId);
  const device = new TestDevice(server, await server.user());
  const as = device.student;
  const key = { [HEADER.idempotencyKey]: randomUUID() };
  const first = orders((await device.start(testId, key)).body.questions);
  expect(first).toHaveLength(2 * QUESTIONS);
  expect(orders((await device.start(testId, key)).body.questions)).toEqual(first);
  expect(orders((await device.start(testId)).body.questions)).toEqual(first);
  const read = await server.send(getTest, { params: { id: testId } }, { as });
  expect(orders(read.body.questions)).toEqual(first);

  // Only the database survives a server.
  const state = await server.pool.query<{ seal_key: Buffer }>('select seal_key from server_state');
  const sealKey = state.rows[0]?.seal_key ?? Buffer.alloc(0);
  const restarted = await buildApp({ ...server.deps, state: { epoch: 2, sealKey } });
  const again = await restarted.inject({
    url: `/api/Test/${testId}`,
    headers: { authorization: `Bearer ${as.token}` },
  });
  await restarted.close();
  expect(orders(again.json<{ questions: StudentQuestion[] }>().questions)).toEqual(first);

  await device.finish();
  for (const reader of [as, teacher]) {
    const preview = await server.send(
      getAttemptPreview,
      { params: { attemptId: device.attemptId } },
      { as: reader },
    );
    expect(orders(preview.body.items.map(({ question }) => question))).toEqual(first);
  }
  const other = new TestDevice(server, await server.user());
  expect(orders((await other.start(testId)).body.questions)).not.toEqual(first);
});
