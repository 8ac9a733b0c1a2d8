import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideTestHeld, listTestHeld } from '#contract/grading.ts';
import { bringAnswers, bringFile, RescueFile } from '#contract/rescue.ts';
import type { ReplyOf, Route } from '#contract/route.ts';
import { rows } from '#server/db/query.ts';
import { urlOf } from '#tests/server.ts';
import {
  choice,
  drain,
  essay,
  openClassroom,
  Q,
  start,
  text,
  type Classroom,
} from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 5 });
});
afterAll(() => classroom.close());

const PHOTO = new Uint8Array(300 * 1024).fill(7);
PHOTO.set([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0]);

interface Parts {
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  bytes?: Buffer;
}

async function asTeacher<R extends Route>(
  route: R,
  { bytes, body, ...at }: Parts,
): Promise<{ status: number; reply: ReplyOf<R> }> {
  const { token } = await classroom.server.signIn(classroom.teacher);
  const type = bytes ? 'application/octet-stream' : 'application/json';
  const sent = bytes ?? (body === undefined ? null : JSON.stringify(body));
  const answered = await classroom.server.deliver({
    method: route.method,
    url: urlOf(route, at),
    headers: {
      authorization: `Bearer ${token}`,
      ...(sent === null ? {} : { 'content-type': type }),
    },
    payload: sent,
  });
  return { status: answered.status, reply: JSON.parse(answered.text) as ReplyOf<R> };
}

/** An offline device that wrote three answers and a file, and the file it exported them to. */
async function stranded() {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device('A'), student);
  const { attemptId } = await start(classroom, tab);
  tab.device.line.online = false;
  await tab.outbox.answer(attemptId, text('первый'));
  await tab.outbox.answer(attemptId, choice('b'));
  await tab.outbox.answer(attemptId, essay('эссе'));
  await tab.outbox.addFile(attemptId, Q.file, {
    name: 'решение.jpg',
    mimeType: 'image/jpeg',
    bytes: PHOTO,
  });
  const saved = v.parse(RescueFile, JSON.parse(await tab.outbox.exportUnsent(student.userId)));
  const [attempt] = saved.attempts;
  if (!attempt) throw new Error('the device saved nothing');
  const answers = attempt.operations.flatMap((one) => ('operationId' in one ? [one] : []));
  return { student, tab, attempt, answers, owner: saved.owner };
}

const bring = (of: Pick<Awaited<ReturnType<typeof stranded>>, 'attempt' | 'answers' | 'owner'>) =>
  asTeacher(bringAnswers, {
    params: { id: classroom.testId, attemptId: of.attempt.attemptId },
    body: { owner: of.owner, answers: of.answers },
  });

test('row 13: answers exported to a file are imported by the teacher as held, are accepted, and count once though the device sends them too', async () => {
  const school = await stranded();
  const { tab, attempt, student } = school;
  const first = await bring(school);
  expect(first.reply.userName).toBe(student.userName);
  expect(first.reply.results.map(({ outcome }) => outcome)).toEqual([
    'held',
    'held',
    'held',
    'held',
  ]);
  const again = await bring(school);
  expect(again.reply.results.map(({ outcome }) => outcome)).toEqual([
    'known',
    'known',
    'known',
    'known',
  ]);

  const [file] = attempt.files;
  const broughtFile = await asTeacher(bringFile, {
    params: { id: classroom.testId, attemptId: attempt.attemptId, fileId: file?.fileId ?? '' },
    query: {
      owner: school.owner,
      questionId: Q.file,
      name: 'решение.jpg',
      mimeType: 'image/jpeg',
      sha256: file?.sha256 ?? '',
    },
    bytes: Buffer.from(file?.base64 ?? '', 'base64'),
  });
  expect(broughtFile.reply).toEqual({ complete: true });

  const held = await asTeacher(listTestHeld, { params: { id: classroom.testId } });
  const own = held.reply.items.find(({ attemptId }) => attemptId === attempt.attemptId);
  expect(own?.answers.map(({ answerText }) => answerText)).toContain('первый');
  await asTeacher(decideTestHeld, {
    params: { id: classroom.testId },
    body: {
      decision: 'accepted',
      operationIds: own?.answers.map(({ operationId }) => operationId) ?? [],
    },
  });

  tab.device.line.online = true;
  expect((await drain(classroom, tab)).waiting).toBe(0);
  const journal = await classroom.journal(attempt.attemptId);
  expect(journal.filter(({ kind }) => kind === 'answer')).toHaveLength(4);
  const counting = await rows<{ text: string | null }>(
    classroom.server.pool,
    `select body ->> 'text' as text from answers where attempt_id = $1 and question_id = any($2)
     order by text`,
    [attempt.attemptId, [Q.open, Q.essay]],
  );
  expect(counting.map((row) => row.text)).toEqual(['первый', 'эссе']);
});

test('a file of another owner or with answers to no question imports nothing', async () => {
  const school = await stranded();
  const stranger = await classroom.addStudent();
  const asAnother = await bring({ ...school, owner: stranger.userId });
  expect(asAnother.status).toBe(404);
  const [first] = school.answers;
  const unknown = await bring({
    ...school,
    answers: first ? [{ ...first, answer: { ...text('мимо'), questionId: stranger.userId } }] : [],
  });
  expect(unknown.reply.results.map(({ outcome }) => outcome)).toEqual(['wrong']);
  expect(await classroom.journal(school.attempt.attemptId)).toEqual([]);
});

test('a forged epoch is ignored: the stream retains its assigned epoch', async () => {
  const school = await stranded();
  await bring({ ...school, answers: school.answers.map((one) => ({ ...one, epoch: 99 })) });
  const journal = await classroom.journal(school.attempt.attemptId);
  expect(new Set(journal.map(({ epoch }) => epoch))).toEqual(new Set([1]));
});
