import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBank, pickFromBank, saveBankEntry } from '#contract/bank.ts';
import { getDraft, saveDraft } from '#contract/drafts.ts';
import { HEADER } from '#contract/headers.ts';
import type { Question } from '#contract/questions.ts';
import { listTemplates, saveTemplate, type TemplateBody } from '#contract/templates.ts';
import { WIRE_VERSION } from '#contract/version.ts';
import { one } from '#server/db/query.ts';
import { smallTemplate } from '#tests/calls.ts';
import { errorOf, makeSchool, Q, TestDevice } from '#tests/school.ts';
import { type Answered, type TestServer, testServer } from '#tests/server.ts';

/** The present app with a server of the next wire version, which has added shared texts and templates of gaps. */

let server: TestServer;
beforeAll(async () => {
  const since = WIRE_VERSION + 1;
  server = await testServer({
    addedContent: [
      { since, isInQuestion: ({ passage }) => passage !== undefined },
      { since, isInTemplate: ({ key }) => key.kind === 'gaps' },
    ],
  });
});
afterAll(() => server.close());

const passage = { passageId: '10000000-0000-4000-8000-000000000001', text: 'В лесу было тихо.' };
const known: Question = {
  questionId: Q.file,
  kind: 'file',
  text: 'Приложите решение',
  points: 1,
  maxBytes: 1_000,
  accept: [],
};
const unknown: Question = { ...known, passage };

const PRESENT = { [HEADER.appVersion]: `${WIRE_VERSION}` };
const NEXT = { [HEADER.appVersion]: `${WIRE_VERSION + 1}` };

function expectRefused(replies: readonly Answered<unknown>[]): void {
  for (const reply of replies)
    expect([reply.status, errorOf(reply).code]).toEqual([426, 'OLD_CLIENT']);
}

test('an app without support for a question must update before any time runs', async () => {
  const school = await makeSchool(server, { questions: [unknown] });
  const device = new TestDevice(server, school.student);
  expectRefused([await device.start(school.testId, PRESENT)]);
  expect(
    await one(server.pool, 'select count(*)::int as count from attempts where test_id = $1', [
      school.testId,
    ]),
  ).toEqual({ count: 0 });
  const started = await device.start(school.testId, NEXT);
  expect(started.status).toBe(200);
  expect(started.body.questions[0]?.passage).toEqual(passage);
  expectRefused([await device.start(school.testId, PRESENT)]);
});

test('a start with a lost reply is refused to it, too', async () => {
  const school = await makeSchool(server, { questions: [unknown] });
  const device = new TestDevice(server, school.student);
  const key = { [HEADER.idempotencyKey]: server.deps.newId() };
  expect((await device.start(school.testId, { ...key, ...NEXT })).status).toBe(200);
  expectRefused([await device.start(school.testId, { ...key, ...PRESENT })]);
});

test('it starts a test that it knows whole', async () => {
  const school = await makeSchool(server, { questions: [known] });
  const device = new TestDevice(server, school.student);
  expect((await device.start(school.testId, PRESENT)).status).toBe(200);
});

test('it does not edit what it would save without a part', async () => {
  const school = await makeSchool(server, { questions: [unknown] });
  const by = { as: school.teacher, headers: PRESENT };
  const params = { id: school.testId };
  const opened = await server.send(getDraft, { params }, { as: school.teacher, headers: NEXT });
  const body = {
    draftVersion: opened.body.draftVersion,
    order: [known.questionId],
    changed: [known],
  };
  expectRefused([
    await server.send(getDraft, { params }, by),
    await server.send(saveDraft, { params, body }, by),
  ]);
  const retained = await server.send(getDraft, { params }, { as: school.teacher, headers: NEXT });
  expect(retained.body.questions).toMatchObject([{ passage }]);
});

test('an entry of the bank is neither sent to nor accepted from it', async () => {
  const { teacher, testId } = await makeSchool(server, { questions: [known] });
  const draft = await server.send(getDraft, { params: { id: testId } }, { as: teacher });
  const edit = {
    draftVersion: draft.body.draftVersion,
    order: [known.questionId],
    changed: [unknown],
  };
  const newer = { as: teacher, headers: NEXT };
  const saved = await server.send(saveDraft, { params: { id: testId }, body: edit }, newer);
  expect(saved.status, saved.text).toBe(200);
  const older = { as: teacher, headers: PRESENT };
  const draw = { criteria: {}, mix: { any: 1 }, seed: 'семя' };
  const params = { entryId: known.questionId };
  expectRefused([
    await server.send(listBank, {}, older),
    await server.send(pickFromBank, { body: draw }, older),
    await server.send(saveBankEntry, { params, body: { question: known, theme: '' } }, older),
  ]);
  const { items } = (await server.send(listBank, {}, newer)).body;
  expect(items).toMatchObject([{ question: { passage } }]);
});

test('a template is neither sent to nor accepted from it unless it is known', async () => {
  const { teacher } = await makeSchool(server);
  const newer = { as: teacher, headers: NEXT };
  const older = { as: teacher, headers: PRESENT };
  const plain = { params: { templateId: server.deps.newId() } };
  const whole = { version: 0, body: smallTemplate };
  expect((await server.send(saveTemplate, { ...plain, body: whole }, older)).status).toBe(200);
  expect((await server.send(listTemplates, {}, older)).body.total).toBe(1);

  const params = { templateId: server.deps.newId() };
  const gap = { gapId: '1', input: 'line' as const, accepted: ['Ньютон'] };
  const key: TemplateBody['key'] = { kind: 'gaps', gaps: [gap] };
  const body = { version: 0, body: { ...smallTemplate, text: '[[1]]', key } };
  expect((await server.send(saveTemplate, { params, body }, newer)).status).toBe(200);
  expectRefused([
    await server.send(listTemplates, {}, older),
    await server.send(saveTemplate, { params, body: { ...whole, version: 1 } }, older),
  ]);
  const { items } = (await server.send(listTemplates, {}, newer)).body;
  expect(items.find(({ templateId }) => templateId === params.templateId)).toMatchObject({
    version: 1,
    body: { key },
  });
});
