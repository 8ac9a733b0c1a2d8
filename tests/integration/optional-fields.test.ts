import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTest,
  duplicateTest,
  getTestSettings,
  updateTest,
  type NewTest,
  type TestSettings,
} from '#contract/authoring.ts';
import { listBank } from '#contract/bank.ts';
import { getDraft, publishDraft, saveDraft } from '#contract/drafts.ts';
import type { Question } from '#contract/questions.ts';
import { getTest } from '#contract/full-test.ts';
import { hasAreas } from '#domain/areas.ts';
import { copiedQuestion } from '#domain/bank.ts';
import { changeKind, FORM_KINDS, formKindOf, type OtherKinds } from '#domain/change-kind.ts';
import { readFile, writeFile } from '#interchange/formats.ts';
import type { ExportedTest, FormatId } from '#interchange/model.ts';
import { PICTURES } from '#interchange/testing/question-arbitrary.ts';
import { asWritten, drafted, picturesOf } from '#server/ai/drafted.ts';
import { entryQuestion } from '#server/bank/entry.ts';
import { mergeQuestions } from '#app/drafts/merge.ts';
import { replaceDraft } from '#app/features/ai/replace-draft.ts';
import { copiesForAnotherTest, duplicateQuestions } from '#app/features/editor/edits.ts';
import { readyQuestions } from '#app/features/exchange/import-plan.ts';
import { fieldAt, FULL_QUESTIONS, samplesOf, withoutField } from '#tests/optional-fields.ts';
import { makeSchool } from '#tests/school.ts';
import { testServer, type TestServer } from '#tests/server.ts';

/*
 * Sends every optional field of a question and of a test's settings, as named in the schema, through all code that
 * makes another question or test of one. Fails if a field is lost without a report.
 */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let made = 0;
const newId = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;

/** Numbers through pixels and percents differ in the last digits. */
const said = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' ? Math.round(part * 100) / 100 : part,
  );

type Typed = Pick<Extract<Question, { kind: 'open' }>, 'accepted' | 'tolerance'>;

/** Each answer with the tolerance that it is marked by. */
function withOwnTolerances<T extends Typed>({ accepted, tolerance, ...rest }: T) {
  const own = accepted.map((answer) => ({ tolerance, ...answer }));
  return { ...rest, accepted: own };
}

/** The meaning of a question: answers have their tolerances, and areas are never shuffled. */
function meant(question: Question | undefined, areAreas: boolean): unknown {
  if (question?.kind === 'open') return withOwnTolerances(question);
  if (question?.kind === 'variant')
    return areAreas ? { ...question, shuffle: undefined } : question;
  if (question?.kind !== 'gaps') return question;
  const gaps = question.gaps.map((gap) => (gap.input === 'choice' ? gap : withOwnTolerances(gap)));
  return { ...question, gaps };
}

/** Whether a field came back; a text may be longer now. */
const isSame = (was: unknown, back: unknown): boolean =>
  said(was) === said(back) ||
  (typeof was === 'string' && typeof back === 'string' && back.includes(was));

/** The optional fields that another question has lost or changed. */
const lostOf = (
  { question, fields }: (typeof FULL_QUESTIONS)[number],
  back: Question | undefined,
): string[] => {
  const areAreas = question.kind === 'variant' && hasAreas(question.options);
  const [was, is] = [meant(question, areAreas), meant(back, areAreas)];
  return fields
    .filter(({ paths }) => paths.some((path) => !isSame(fieldAt(was, path), fieldAt(is, path))))
    .map(({ pattern }) => pattern);
};

const named = FULL_QUESTIONS.map((full) => [full.question.kind, full] as const);

/** Fields that belong to a question in its own test, and to no copy: its place, and the credit for a mistake in it. */
const PLACE = ['variantOf', 'origin', 'origin.seed', 'credit'];

test('the schema has the fields that this test is about', () => {
  for (const { fields, question } of FULL_QUESTIONS) {
    const patterns = fields.map(({ pattern }) => pattern);
    expect(patterns).toEqual(expect.arrayContaining(['transcript', 'passage.transcriptShown']));
    for (const { paths } of fields)
      for (const path of paths) expect(fieldAt(question, path)).toBeDefined();
  }
});

describe.each(named)('of %s every optional field', (_, full) => {
  const { question, fields } = full;

  test('survives each change of kind, its own ones the change back', () => {
    const shared = fields.filter(({ pattern }) =>
      FULL_QUESTIONS.every((other) => other.fields.some((one) => one.pattern === pattern)),
    );
    const own = formKindOf(question);
    for (const kind of FORM_KINDS) {
      const others: OtherKinds = {};
      const changed = changeKind(question, kind, others, newId);
      expect(lostOf({ question, fields: shared }, changed.question), kind).toEqual([]);
      const back = changeKind(changed.question, own, changed.others, newId);
      expect(lostOf(full, back.question), kind).toEqual([]);
    }
  });

  test('survives a revision by a provider that changes nothing', () => {
    const rules = { kinds: [question.kind], pictures: picturesOf(question), newId };
    const written = JSON.parse(JSON.stringify(asWritten(question))) as Record<string, unknown>;
    const fresh = drafted(written, rules);
    if (!fresh.question) throw new Error(fresh.reason);
    const lost = lostOf(full, replaceDraft(question, fresh.question));
    // A revised question is the provider's.
    expect(lost).toEqual(['origin', 'origin.seed']);
  });

  test('survives a merge, and its change alone is a change', () => {
    for (const field of fields) {
      const before = withoutField(question, field);
      const { questions, conflicts } = mergeQuestions([before], [question], [before]);
      expect(lostOf(full, questions[0]), field.pattern).toEqual([]);
      const arrived = mergeQuestions([before], [before], [question]);
      expect(lostOf(full, arrived.questions[0]), field.pattern).toEqual([]);
      expect([...conflicts, ...arrived.conflicts]).toEqual([]);
    }
  });

  test('survives copies, except what names their place', () => {
    const ids = new Map([[question.questionId, newId()]]);
    const [, twin] = duplicateQuestions([question.questionId], ids)([question]);
    expect(PLACE).toEqual(expect.arrayContaining(lostOf(full, twin)));
    for (const copy of [
      copiedQuestion(question, newId),
      copiesForAnotherTest([question], newId)[0],
      entryQuestion(question, newId()),
    ])
      expect(PLACE).toEqual(expect.arrayContaining(lostOf(full, copy)));
  });

  test.each<FormatId>(['moodleXml', 'qti2', 'qti3', 'gift', 'xlsx', 'csv', 'aiken'])(
    'survives %s and back, or is named in a loss',
    async (format) => {
      const lossesOf = async (one: Question) => {
        const test: ExportedTest = { title: 'Тест', questions: [one], pictures: PICTURES };
        const exported = await writeFile(format, test);
        const isLeftOut = exported.losses.some((line) => line.includes('не перенесён:'));
        if (isLeftOut) return { losses: null, back: undefined };
        const file = { name: exported.fileName, bytes: exported.bytes };
        const imported = await readFile(file, format, { newId });
        const [item] = imported.items;
        const keys = new Map(imported.pictures.map(({ key }) => [key, key]));
        const source = imported.items.map((each) => ({
          ...each,
          losses: [...each.losses],
          source: '',
        }));
        const pictures = imported.pictures.map((each) => ({
          ...each,
          bytes: new Uint8Array(each.bytes),
          digest: '',
        }));
        const ready = { ...imported, items: source, pictures, refused: [], notes: [] };
        const [back] = readyQuestions(ready, new Set([0]), keys);
        return { losses: [...exported.losses, ...(item?.losses ?? [])], back };
      };
      const { losses, back } = await lossesOf(question);
      if (losses === null) return;
      for (const pattern of lostOf(full, back)) {
        // An imported question comes from its file.
        if (PLACE.includes(pattern)) continue;
        const field = fields.find((one) => one.pattern === pattern);
        if (!field) throw new Error('unreachable');
        const without = (await lossesOf(withoutField(question, field))).losses ?? [];
        const own = losses.filter((line) => !without.includes(line));
        expect(own, `${pattern} is lost without a word`).not.toEqual([]);
      }
    },
  );
});

describe('on the server', () => {
  const all = FULL_QUESTIONS.map((full) => {
    const questionId = newId();
    const passage = full.question.passage && { ...full.question.passage, passageId: newId() };
    const origin = { kind: 'bank' as const, entryId: newId(), seed: 'семя' };
    const place = { variantOf: newId(), questionId, origin };
    return { ...full, question: { ...full.question, ...place, ...(passage && { passage }) } };
  });
  const questions = all.map(({ question }) => question);

  test('survives saving, publishing, the copy of the test and the bank', async () => {
    const { teacher: as, testId } = await makeSchool(server, {});
    const params = { id: testId };
    const { body } = await server.send(getDraft, { params }, { as });
    const saved = await server.send(
      saveDraft,
      {
        params,
        body: {
          draftVersion: body.draftVersion,
          order: questions.map(({ questionId }) => questionId),
          changed: questions,
        },
      },
      { as },
    );
    expect(saved.status, saved.text).toBe(200);
    const { draftVersion } = saved.body;
    const published = await server.send(publishDraft, { params, body: { draftVersion } }, { as });
    expect(published.status, published.text).toBe(200);
    const copy = await server.send(duplicateTest, { params }, { as });
    for (const id of [testId, copy.body]) {
      const test = await server.send(getTest, { params: { id } }, { as });
      const draft = await server.send(getDraft, { params: { id } }, { as });
      const sources = [test.body.questions as Question[], draft.body.questions];
      for (const list of sources)
        for (const [index, full] of all.entries()) {
          const lost = lostOf(full, list[index]);
          if (id === testId) expect(lost).toEqual([]);
          else expect(PLACE).toEqual(expect.arrayContaining(lost));
        }
    }
    const bank = await server.send(listBank, { query: { pageSize: 100 } }, { as });
    for (const full of all) {
      const entries = bank.body.items.filter(
        ({ question }) => question.kind === full.question.kind,
      );
      expect(
        entries.some(({ question }) =>
          lostOf(full, question).every((pattern) => PLACE.includes(pattern)),
        ),
        full.question.kind,
      ).toBe(true);
    }
  });

  test('each setting of a test survives saving and the copy, except assignments', async () => {
    const { teacher: as, student, testId } = await makeSchool(server, {});
    const { userId } = student;
    const users = {
      assignedUserIds: [userId],
      assignedGroupIds: [],
      personalTerms: [
        {
          userId,
          extraMinutes: 7,
          attemptsCount: 3,
          startTestTime: '2027-03-08T06:00:00.000Z',
          endTestTime: '2027-03-09T06:00:00.000Z',
        },
      ],
    };
    const values = {
      // The points are counted; a test ends after it begins.
      ...samplesOf(updateTest.body, ['id', 'version', 'questions', 'maxPoints']),
      endTestTime: '2027-03-02T06:00:00.000Z',
      ...users,
    };
    const params = { id: testId };
    const { body: before } = await server.send(getTestSettings, { params }, { as });
    const body = { ...values, id: testId, version: before.version };
    const saved = await server.send(updateTest, { body }, { as });
    expect(saved.status, saved.text).toBe(200);

    const copy = await server.send(duplicateTest, { params }, { as });
    const settingsOf = async (id: string) => {
      const reply = await server.send(getTestSettings, { params: { id } }, { as });
      return asSent(reply.body);
    };
    expect(await settingsOf(testId)).toMatchObject(values);
    const payload = {
      ...samplesOf(createTest.body, ['questions', 'maxPoints']),
      endTestTime: values.endTestTime,
    };
    const created = await server.send(createTest, { body: payload as NewTest }, { as });
    expect(created.status, created.text).toBe(200);
    expect(await settingsOf(created.body)).toMatchObject(payload);
    expect(await settingsOf(copy.body)).toMatchObject({
      ...values,
      name: expect.stringContaining('Копия') as string,
      openToAll: false,
      assignedUserIds: [],
      personalTerms: [],
    });
  });
});

/** Settings as they are sent: people by their ids. */
const asSent = ({ assignedUsers, assignedGroups, personalTerms, ...settings }: TestSettings) => ({
  ...settings,
  assignedUserIds: assignedUsers.map(({ userId }) => userId),
  assignedGroupIds: assignedGroups.map(({ groupId }) => groupId),
  personalTerms: personalTerms.map((term) => {
    const { userName: _, ...sent } = term;
    return sent;
  }),
});
