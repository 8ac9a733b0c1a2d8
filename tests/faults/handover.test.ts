import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bringHandover } from '#contract/handover.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { Handover } from '#app/outbox/handover.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import { execute, rows } from '#server/db/query.ts';
import type { Tab } from '#simulation/tab.ts';
import type { SimulatedPerson } from '#simulation/server.ts';
import { urlOf } from '#tests/server.ts';
import {
  choice,
  drain,
  essay,
  MINUTE,
  openClassroom,
  Q,
  shown,
  start,
  text,
  view,
  type Classroom,
} from './classroom.ts';

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50 });
});
afterAll(() => classroom.close());

const PHOTO = new Uint8Array(700 * 1024).fill(7);
PHOTO.set([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0]);

/** A device in the middle of an attempt, without a network. */
async function stranded() {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device('A'), student);
  await tab.outbox.openRows(
    student.userId,
    deviceKeyOf(classroom.server.deps.state.sealKey, student.userId),
  );
  const { attemptId } = await start(classroom, tab);
  tab.device.line.online = false;
  return { student, tab, attemptId };
}

async function made(tab: Tab): Promise<Handover> {
  const handover = await (await tab.outbox.handovers()).make();
  if (!handover) throw new Error('nothing to hand over');
  return handover;
}

interface BringReply {
  readonly status: number;
  readonly reply: ReplyOf<typeof bringHandover> & { readonly code?: string };
}

async function bring(
  owner: string,
  part: Uint8Array | undefined,
  by: SimulatedPerson = classroom.teacher,
): Promise<BringReply> {
  const { token } = await classroom.server.signIn(by);
  const answered = await classroom.server.deliver({
    method: 'POST',
    url: urlOf(bringHandover, { params: { owner } }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    payload: Buffer.from(part ?? []),
  });
  return { status: answered.status, reply: JSON.parse(answered.text) as BringReply['reply'] };
}

async function apply(tab: Tab, reply: BringReply['reply']) {
  return (await tab.outbox.handovers()).apply(
    Uint8Array.from(Buffer.from(reply.receipts, 'base64')),
  );
}

const outcomes = async (attemptId: string) =>
  (await classroom.journal(attemptId)).map(({ kind, outcome }) => `${kind} ${outcome}`);

describe('answers that come in another way than the network', () => {
  test('count without the teacher, finish the attempt, and come back as receipts', async () => {
    const { tab, attemptId, student } = await stranded();
    await tab.outbox.answer(attemptId, text('первый'));
    await tab.outbox.answer(attemptId, choice('b'));
    await tab.outbox.finish(attemptId, 'student');
    classroom.timeline.advance(3 * MINUTE);
    const { owner, parts, operations, files } = await made(tab);
    expect({ parts: parts.length, operations, files }).toEqual({
      parts: 1,
      operations: 3,
      files: 0,
    });

    classroom.timeline.advance(10 * MINUTE);
    const { reply } = await bring(owner, parts[0]);
    expect(reply).toMatchObject({
      userName: student.userName,
      begins: 0,
      answers: 2,
      held: 0,
      finishes: 1,
      problems: [],
    });
    expect(await outcomes(attemptId)).toEqual(['answer stored', 'answer stored', 'finish stored']);
    const written = await rows<{ at: Date }>(
      classroom.server.pool,
      'select written_at as at from operations where attempt_id = $1 order by ordinal limit 1',
      [attemptId],
    );
    const age = classroom.timeline.now() - (written[0]?.at.getTime() ?? 0);
    expect(Math.round(age / MINUTE)).toBe(13);

    expect((await view(tab, attemptId)).state).toBe('finishing');
    expect(await apply(tab, reply)).toEqual({ receipts: 3 });
    expect((await view(tab, attemptId)).state).toBe('finished');
    expect((await shown(tab, attemptId, Q.open)).stage).toBe('server');

    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await outcomes(attemptId)).toHaveLength(3);
  });

  test('are the same operations for the device that sends them after all, and for a repeat', async () => {
    const { tab, attemptId } = await stranded();
    await tab.outbox.answer(attemptId, text('один раз'));
    const { owner, parts } = await made(tab);
    const first = await bring(owner, parts[0]);
    const again = await bring(owner, parts[0]);
    expect(again.reply).toMatchObject({ answers: 1, problems: [] });
    // The receipts were lost on the way back.
    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
    expect(await outcomes(attemptId)).toEqual(['answer stored']);
    expect(await apply(tab, first.reply)).toEqual({ receipts: 1 });
  });

  test('never replace what was written after them', async () => {
    const { tab, attemptId } = await stranded();
    await tab.outbox.answer(attemptId, text('раньше'));
    const { owner, parts } = await made(tab);
    await tab.outbox.answer(attemptId, text('позже'));
    tab.device.line.online = true;
    await drain(classroom, tab);
    await bring(owner, parts[0]);
    const counting = await rows<{ text: string }>(
      classroom.server.pool,
      `select body ->> 'text' as text from answers where attempt_id = $1`,
      [attemptId],
    );
    expect(counting).toEqual([{ text: 'позже' }]);
    expect(await outcomes(attemptId)).toHaveLength(2);
  });

  test('count by when they were written, marked as late within the window, and are held after it', async () => {
    for (const [later, counts] of [
      [5 * MINUTE, { answers: 2, held: 0 }],
      [90 * MINUTE, { answers: 0, held: 2 }],
    ] as const) {
      const { tab, attemptId } = await stranded();
      const { deadline } = await view(tab, attemptId);
      await tab.outbox.answer(attemptId, text('в срок'));
      classroom.timeline.advance(deadline - classroom.timeline.now() - MINUTE);
      await tab.outbox.answer(attemptId, choice('b'));
      const { owner, parts } = await made(tab);
      classroom.timeline.advance(MINUTE + later);
      expect((await bring(owner, parts[0])).reply).toMatchObject(counts);
      const journal = await classroom.journal(attemptId);
      expect(journal.every(({ receivedLate }) => receivedLate)).toBe(true);
    }
  });

  test('bring their photos along, and then the finish', async () => {
    const { tab, attemptId } = await stranded();
    await tab.outbox.answer(attemptId, essay('решение на фото'));
    await tab.outbox.addFile(attemptId, Q.file, {
      name: 'решение.jpg',
      mimeType: 'image/jpeg',
      bytes: PHOTO,
    });
    await tab.outbox.finish(attemptId, 'student');
    const { owner, parts, files } = await made(tab);
    expect({ parts: parts.length, files }).toEqual({ parts: 3, files: 1 });
    const [answers, photo, finish] = parts;
    expect((await bring(owner, answers)).reply).toMatchObject({
      answers: 2,
      finishes: 0,
      problems: [],
    });
    expect((await bring(owner, photo)).reply).toMatchObject({ files: 1, problems: [] });
    const last = await bring(owner, finish);
    expect(last.reply).toMatchObject({ finishes: 1, problems: [] });
    await apply(tab, last.reply);
    expect((await view(tab, attemptId)).state).toBe('finished');
    tab.device.line.online = true;
    expect((await drain(classroom, tab)).waiting).toBe(0);
  });
});

test.each([
  { what: 'forward', byMs: 24 * 60 * MINUTE, isShown: false },
  { what: 'back, which the open page notices', byMs: -5 * MINUTE, isShown: true },
])(
  'answers of a device whose clock was set $what come without an age',
  async ({ byMs, isShown }) => {
    const { tab, attemptId } = await stranded();
    tab.device.clock.isShown = isShown;
    tab.device.clock.shift(byMs);
    classroom.timeline.advance(MINUTE);
    await tab.outbox.answer(attemptId, text('ответ'));
    const { owner, parts } = await made(tab);
    classroom.timeline.advance(2 * MINUTE);
    expect((await bring(owner, parts[0])).reply).toMatchObject({ answers: 1 });
    const ages = await rows(
      classroom.server.pool,
      'select age_ms as age from operations where attempt_id = $1',
      [attemptId],
    );
    expect(ages).toEqual([{ age: null }]);
  },
);

describe('bytes that are not what they claim', () => {
  test('of another school, damaged, truncated, or of another student change nothing', async () => {
    const { tab, attemptId } = await stranded();
    const other = await stranded();
    await tab.outbox.answer(attemptId, text('ответ'));
    const { owner, parts } = await made(tab);
    const part = parts[0] ?? new Uint8Array();
    const changed = part.slice();
    changed[changed.length - 20] = (changed.at(-20) ?? 0) ^ 1;
    for (const [owned, bytes] of [
      [other.student.userId, part],
      [owner, changed],
      [owner, part.slice(0, -1)],
      [owner, new Uint8Array(5)],
      [owner, new Uint8Array(0)],
      [attemptId, part],
    ] as const) {
      const { status, reply } = await bring(owned, bytes);
      expect({ status, code: reply.code }).toEqual({ status: 422, code: 'HANDOVER_UNREADABLE' });
    }
    expect(await outcomes(attemptId)).toEqual([]);
  });

  test('a student cannot bring anything in, and a blocked one is not spoken for', async () => {
    const { tab, attemptId, student } = await stranded();
    await tab.outbox.answer(attemptId, text('ответ'));
    const { owner, parts } = await made(tab);
    expect((await bring(owner, parts[0], student)).status).toBe(403);
    await execute(classroom.server.pool, 'update users set blocked_at = now() where id = $1', [
      owner,
    ]);
    expect((await bring(owner, parts[0])).reply.code).toBe('HANDOVER_BLOCKED');
    expect(await outcomes(attemptId)).toEqual([]);
  });

  test('receipts of another student, or changed ones, acknowledge nothing', async () => {
    const [mine, other] = [await stranded(), await stranded()];
    await mine.tab.outbox.answer(mine.attemptId, text('ответ'));
    const { owner, parts } = await made(mine.tab);
    const { reply } = await bring(owner, parts[0]);
    expect(await apply(other.tab, reply)).toBeNull();
    const changed = Buffer.from(reply.receipts, 'base64');
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(await apply(mine.tab, { ...reply, receipts: changed.toString('base64') })).toBeNull();
    expect((await shown(mine.tab, mine.attemptId, Q.open)).stage).toBe('device');
  });
});

test('without a key on the device nothing is made', async () => {
  const student = await classroom.addStudent();
  const tab = await classroom.open(classroom.device('B'), student);
  expect(await (await tab.outbox.handovers()).make()).toBeNull();
});
