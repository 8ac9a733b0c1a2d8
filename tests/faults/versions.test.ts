import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOffer, revealStartCode } from '#contract/offers.ts';
import { OLDEST_WIRE_VERSION } from '#contract/version.ts';
import { parseDuration } from '#domain/duration.ts';
import { offerCountsUntil } from '#domain/offline-begin.ts';
import { openOffer } from '#app/offers/open-offer.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';
import { createRandom } from '#simulation/random.ts';
import { loadReleasedApp } from '#simulation/released-app.ts';
import { CODE_COST, setStartCode } from '#simulation/start-codes.ts';
import type { Tab } from '#simulation/tab.ts';
import { urlOf } from '#tests/server.ts';
import {
  choice,
  drain,
  essay,
  openClassroom,
  Q,
  shown,
  start,
  text,
  type Classroom,
} from './classroom.ts';

/** Two versions of the app on one device: release 1.0.0 and the present one. */

let classroom: Classroom;
beforeAll(async () => {
  classroom = await openClassroom({ attemptsCount: 50, offlineStart: true });
});
afterAll(() => classroom.close());

/** A student on a page of the former app, on a device that knows no other. */
async function seatedBefore() {
  const student = await classroom.addStudent();
  const device = classroom.device();
  const former = await classroom.open(device, student, { version: 'former' });
  const { attemptId } = await start(classroom, former);
  return { student, device, former, attemptId };
}

const journalled = async (attemptId: string) =>
  (await classroom.journal(attemptId)).map(({ kind, text: said, outcome }) => [
    kind,
    said,
    outcome,
  ]);

async function databaseVersion(factory: IDBFactory): Promise<number | undefined> {
  return (await factory.databases()).find(({ name }) => name === 'exam-room')?.version;
}

test('the former app is served, and one database version behind', async () => {
  const { device } = await seatedBefore();
  const { wireVersion } = await loadReleasedApp();
  expect(wireVersion).toBeGreaterThanOrEqual(OLDEST_WIRE_VERSION);
  expect(await databaseVersion(device.factory)).toBe(1);
  await classroom.open(device);
  expect(await databaseVersion(device.factory)).toBe(2);
});

test('row 7: what the former app wrote and never sent is sent by this one, once', async () => {
  const { device, former, attemptId } = await seatedBefore();
  device.line.online = false;
  await former.outbox.answer(attemptId, text('first'));
  await former.outbox.answer(attemptId, text('second'));
  await former.outbox.answer(attemptId, choice('b'));
  const bytes = new Uint8Array(2_000);
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
  await former.outbox.addFile(attemptId, Q.file, { name: 'a.jpg', mimeType: 'image/jpeg', bytes });
  await former.outbox.finish(attemptId, 'student');
  former.die();
  device.line.online = true;

  const current = await classroom.open(device);
  expect(await shown(current, attemptId, Q.open)).toEqual({ text: 'second', stage: 'device' });
  expect((await drain(classroom, current)).waiting).toBe(0);
  expect(await journalled(attemptId)).toEqual([
    ['answer', 'second', 'stored'],
    ['answer', null, 'stored'],
    ['answer', null, 'stored'],
    ['finish', null, 'stored'],
  ]);
  expect((await current.outbox.attempt(attemptId))?.state).toBe('finished');
});

test('row 7: a page of the former app that stays open beside this one loses and duplicates nothing', async () => {
  const { device, former, attemptId } = await seatedBefore();
  await former.outbox.answer(attemptId, text('before the update'));
  const current = await classroom.open(device);
  const written = await Promise.all([
    former.outbox.answer(attemptId, choice('b')),
    current.outbox.answer(attemptId, essay('beside it')),
    former.outbox.answer(attemptId, text('after the update')),
  ]);
  expect(new Set(written.map(({ sequence }) => sequence)).size).toBe(3);
  expect(written.every(({ saved }) => saved)).toBe(true);
  const before = classroom.record.deliveries.length;
  await Promise.all([former.outbox.flush(), current.outbox.flush()]);
  expect((await drain(classroom, current)).waiting).toBe(0);
  expect((await drain(classroom, former)).waiting).toBe(0);
  const sent = classroom.record.deliveries.slice(before).map(({ operationId }) => operationId);
  expect(new Set(sent).size).toBe(sent.length);
  for (const tab of [former, current]) {
    expect(await shown(tab, attemptId, Q.open)).toEqual({
      text: 'after the update',
      stage: 'server',
    });
    expect(await shown(tab, attemptId, Q.essay)).toEqual({ text: 'beside it', stage: 'server' });
  }
  expect((await journalled(attemptId)).map(([, said]) => said).toSorted()).toEqual([
    'after the update',
    'beside it',
    null,
  ]);
});

test('row 7: the worker of the former app sends what a page of this one writes, and vice versa', async () => {
  const { device, former, attemptId } = await seatedBefore();
  const page = await classroom.open(device);
  await page.outbox.answer(attemptId, text('of the new page'));
  expect((await drain(classroom, former)).waiting).toBe(0);
  expect(await shown(page, attemptId, Q.open)).toEqual({
    text: 'of the new page',
    stage: 'server',
  });
  await former.outbox.answer(attemptId, choice('b'));
  expect((await drain(classroom, page)).waiting).toBe(0);
  expect((await shown(former, attemptId, Q.single)).stage).toBe('server');
  expect(await classroom.journal(attemptId)).toHaveLength(2);
});

test('row 31: an app too old for the server pauses and retains everything; the updated one sends it', async () => {
  const { device, attemptId, former } = await seatedBefore();
  former.die();
  const old = await classroom.open(device, undefined, { version: 'unserved' });
  await old.outbox.answer(attemptId, text('4,9'));
  expect(await old.outbox.flush({ force: true })).toMatchObject({
    acknowledged: 0,
    setAside: 0,
    pause: 'update',
  });
  expect(await shown(old, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'device' });
  // The student continues to answer in the open page.
  await old.outbox.answer(attemptId, choice('b'));

  const current = await classroom.open(device);
  expect((await drain(classroom, current)).waiting).toBe(0);
  expect(await shown(old, attemptId, Q.open)).toEqual({ text: '4,9', stage: 'server' });
  expect(await classroom.journal(attemptId)).toHaveLength(2);
});

/** Begins an attempt on a page without a network, with the code that the teacher shows; the line stays down. */
async function beginOffline(tab: Tab): Promise<string> {
  const { server, testId, teacher, timeline } = classroom;
  const code = await setStartCode(server, testId, createRandom(1), new Date(timeline.now()));
  const { token } = await server.signIn(teacher);
  await server.deliver({
    method: revealStartCode.method,
    url: urlOf(revealStartCode, { params: { id: testId } }),
    headers: { authorization: `Bearer ${token}` },
    payload: null,
  });
  const reply = await tab.ask(makeOffer, { params: { id: testId } });
  const { session, line } = tab.device;
  const key = await importDeviceKey(session?.signedIn.deviceKey ?? '');
  if (!reply || !session || !key) throw new Error('the page got no offer');
  line.online = false;
  const offer = { ...reply, code: { ...reply.code, ...CODE_COST } };
  const stream = server.deps.newId();
  const opened = await openOffer({ offer, files: [] }, code, key, stream);
  if (typeof opened === 'string') throw new Error(opened);
  const begins = await tab.outbox.begins();
  const { attemptId } = await begins.store({
    ...offer,
    language: offer.language,
    owner: session.person.userId,
    attemptId: offer.offerId,
    stream,
    questions: opened.questions,
    proof: opened.proof,
    durationMs: parseDuration(offer.duration),
    endsAt: offer.endsAt === null ? null : Date.parse(offer.endsAt),
    countsUntil: (deadline) => offerCountsUntil(offer, deadline, 'Europe/Moscow'),
  });
  return attemptId;
}

test.each(['current', 'former'] as const)(
  'after a begin without a network, unknown to the former app, the answers of both count: the %s page sends first',
  async (first) => {
    const student = await classroom.addStudent();
    const device = classroom.device();
    const former = await classroom.open(device, student, { version: 'former' });
    const current = await classroom.open(device);
    const attemptId = await beginOffline(current);
    await current.outbox.answer(attemptId, text('of this page'));
    await former.outbox.answer(attemptId, essay('of the former page'));
    device.line.online = true;
    await { current, former }[first].outbox.flush({ force: true });
    expect((await drain(classroom, current)).waiting).toBe(0);
    expect((await journalled(attemptId)).toSorted()).toEqual([
      ['answer', 'of the former page', 'stored'],
      ['answer', 'of this page', 'stored'],
    ]);
    expect((await current.outbox.snapshot(attemptId))?.begin?.state).toBe('accepted');

    const stages = async () => [
      await shown(current, attemptId, Q.open),
      await shown(current, attemptId, Q.essay),
    ];
    const both = (stage: string) => [
      { text: 'of this page', stage },
      { text: 'of the former page', stage },
    ];
    // An answer before its begin is held; what became of it comes with the saved answers.
    expect(await stages()).toEqual(both(first === 'former' ? 'held' : 'server'));
    await current.fetchSaved(attemptId);
    expect(await stages()).toEqual(both('server'));
  },
);
