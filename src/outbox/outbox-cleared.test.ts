import { describe, expect, test } from 'vitest';
import { STORES, type StoreName } from '#app/storage/rows.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { open, QUESTIONS } from './fake-server.ts';
import { device, drain, running, signIn, type TestDevice } from './test-device.ts';

/** The browser clears the database under an open attempt: by its settings, developer tools or eviction. */

type Page = TestDevice & { attemptId: string };

const ended = (request: EventTarget, type: 'success' | 'complete') =>
  new Promise<void>((resolve, reject) => {
    request.addEventListener(type, () => resolve());
    request.addEventListener('error', () => reject(new Error('not cleared')));
  });

const deleteDatabase = ({ factory }: Page) => ended(factory.deleteDatabase('exam-room'), 'success');

const clear =
  (...stores: StoreName[]) =>
  async ({ factory }: Page) => {
    const request = factory.open('exam-room');
    await ended(request, 'success');
    const tx = request.result.transaction(stores, 'readwrite');
    for (const store of stores) tx.objectStore(store).clear();
    await ended(tx, 'complete');
    request.result.close();
  };

const ALL = Object.keys(STORES) as StoreName[];

const CLEARINGS: [string, (page: Page) => Promise<void>][] = [
  ['the database deleted', deleteDatabase],
  ['every store cleared', clear(...ALL)],
  ['attempts cleared', clear('attempts')],
  ['operations cleared', clear('operations')],
  ['questions cleared', clear('contents')],
];

const isOwner = () => true;

/** The app mirrors the sign-in again when it is notified. */
function mirrorAgain(made: TestDevice): void {
  made.outbox.subscribe(({ kind }) => {
    if (kind === 'cleared') void signIn(made.storage, ANNA_ID);
  });
}
let ANNA_ID = '';

async function page(): Promise<Page> {
  const made = await running({ isOwner });
  ANNA_ID = (await made.outbox.snapshot(made.attemptId))?.owner ?? '';
  mirrorAgain(made);
  return made;
}

const answersOf = async ({ outbox, attemptId }: Pick<Page, 'outbox' | 'attemptId'>) =>
  (await outbox.snapshot(attemptId))?.answers.map(({ answer, stage }) => [
    answer?.kind === 'open' ? answer.text : null,
    stage,
  ]);

describe.each(CLEARINGS)('%s', (_name, clearing) => {
  test('what was shown stays, is stored again, and is sent; what is written afterwards too', async () => {
    const made = await page();
    await made.outbox.answer(made.attemptId, open('первый'));
    await drain(made);
    made.server.fault = () => 'UNAVAILABLE';
    await made.outbox.answer(made.attemptId, open('второй', 1));
    await made.outbox.setMark(made.attemptId, QUESTIONS[2], true);
    await made.outbox.snapshot(made.attemptId);
    await clearing(made);

    expect((await answersOf(made))?.slice(0, 2)).toEqual([
      ['первый', 'server'],
      ['второй', 'device'],
    ]);
    expect(made.events.some(({ kind }) => kind === 'cleared')).toBe(true);
    const stored = await made.outbox.answer(made.attemptId, open('третий', 2));
    expect(stored.saved).toBe(true);

    const reloaded = await device({ factory: made.factory, server: made.server, isOwner });
    const view = await reloaded.outbox.snapshot(made.attemptId);
    expect(view?.questions).not.toEqual([]);
    expect((await answersOf({ ...reloaded, attemptId: made.attemptId }))?.slice(0, 3)).toEqual([
      ['первый', 'server'],
      ['второй', 'device'],
      ['третий', 'device'],
    ]);
    made.server.fault = () => null;
    await drain(made);
    expect([...new Set(made.server.answersSent)]).toEqual(['первый', 'второй', 'третий']);
  });

  test('an answer written at once, before anything was read, is stored', async () => {
    const made = await page();
    await made.outbox.answer(made.attemptId, open('первый'));
    await made.outbox.snapshot(made.attemptId);
    await clearing(made);
    const { saved, sequence } = await made.outbox.answer(made.attemptId, open('второй', 1));
    expect({ saved, sequence }).toEqual({ saved: true, sequence: 2 });
    expect((await answersOf(made))?.slice(0, 2)).toEqual([
      ['первый', 'device'],
      ['второй', 'device'],
    ]);
  });

  test('a second tab shows the same and disturbs nothing', async () => {
    const made = await page();
    const second = await device({ factory: made.factory, server: made.server, isOwner });
    await made.outbox.answer(made.attemptId, open('первый'));
    await made.outbox.snapshot(made.attemptId);
    await second.outbox.snapshot(made.attemptId);
    await made.outbox.answer(made.attemptId, open('второй'));
    await made.outbox.snapshot(made.attemptId);
    await clearing(made);
    const [own, other] = await Promise.all([
      answersOf(made),
      answersOf({ ...second, attemptId: made.attemptId }),
    ]);
    expect(own?.[0]?.[0]).toBe('второй');
    expect(other?.[0]?.[0]).toMatch(/первый|второй/);
    await drain(made);
    expect((await answersOf({ ...second, attemptId: made.attemptId }))?.[0]).toEqual([
      'второй',
      'server',
    ]);
  });
});

test('the attempt is among those of its test, so that the page stays', async () => {
  const made = await page();
  const view = await made.outbox.snapshot(made.attemptId);
  await deleteDatabase(made);
  expect(await made.outbox.attemptByTest(ANNA_ID, view?.testId ?? '')).toMatchObject({
    attemptId: made.attemptId,
  });
});

test('if a device is no longer writable, answers stay in memory with a note and are sent', async () => {
  const made = await page();
  let isBroken = false;
  // The rows of the sign-in can still be written.
  const storage: Storage = {
    ...made.storage,
    write: (stores, run) =>
      isBroken && stores.includes('operations')
        ? Promise.reject(new StorageFailure('failed'))
        : made.storage.write(stores, run),
  };
  const tab = await device({ server: made.server, storage, isOwner });
  await tab.outbox.answer(made.attemptId, open('первый'));
  await tab.outbox.snapshot(made.attemptId);
  await clear('attempts', 'operations', 'contents')(made);
  isBroken = true;
  const { saved } = await tab.outbox.answer(made.attemptId, open('второй', 1));
  expect(saved).toBe(false);
  const view = await tab.outbox.snapshot(made.attemptId);
  expect(view?.sync.kind).toBe('unstorable');
  expect(view?.answers.slice(0, 2).map(({ stage }) => stage)).toEqual(['unsaved', 'unsaved']);
  await drain(tab);
  expect([...new Set(made.server.answersSent)]).toEqual(['первый', 'второй']);
});

test('what another tab has done since this one looked stays done', async () => {
  const made = await page();
  const second = await device({ factory: made.factory, server: made.server, isOwner });
  await made.outbox.answer(made.attemptId, open('первый'));
  await made.outbox.snapshot(made.attemptId);
  await drain(second);
  await clear('attempts')(made);
  await made.outbox.snapshot(made.attemptId);
  const rows = await made.storage.read(['operations'], (tx) => tx.all('operations'));
  expect(rows.map(({ state }) => state)).toEqual(['acknowledged']);
});

test('a finished attempt that is removed with its age does not come back', async () => {
  const made = await page();
  await made.outbox.answer(made.attemptId, open('первый'));
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect((await made.outbox.snapshot(made.attemptId))?.state).toBe('finished');
  await clear('attempts', 'operations', 'contents')(made);
  expect(await made.outbox.snapshot(made.attemptId)).toBeNull();
  expect(await made.storage.read(['attempts'], (tx) => tx.all('attempts'))).toEqual([]);
});

test('a file without bytes is set aside with a note; a sent one stays', async () => {
  const made = await page();
  const file = (name: string) => ({ name, mimeType: '', bytes: new Uint8Array([1, 2, 3]) });
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], file('сдан.png'));
  await drain(made);
  await made.outbox.addFile(made.attemptId, QUESTIONS[2], file('ждёт.png'));
  await made.outbox.snapshot(made.attemptId);
  await deleteDatabase(made);
  await made.outbox.snapshot(made.attemptId);
  await drain(made);
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers.slice(2).map(({ stage, refusal }) => [stage, refusal?.code])).toEqual([
    ['setAside', 'FILE_LOST'],
    ['server', undefined],
  ]);
  await made.outbox.finish(made.attemptId, 'student');
  await drain(made);
  expect(made.server.finished).not.toBeNull();
});

test('a file that had arrived whole needs its bytes no more: its answer is sent', async () => {
  const made = await page();
  made.server.fault = ({ name }) => (name === 'answer' ? 'UNAVAILABLE' : null);
  const file = { name: 'решение.png', mimeType: '', bytes: new Uint8Array([1, 2, 3]) };
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], file);
  await drain(made, 5);
  expect([...made.server.uploads.values()].map(({ complete }) => complete)).toEqual([true]);
  await made.outbox.snapshot(made.attemptId);
  await deleteDatabase(made);
  made.server.fault = () => null;
  await made.outbox.snapshot(made.attemptId);
  await drain(made);
  const view = await made.outbox.snapshot(made.attemptId);
  expect(view?.answers[3]).toMatchObject({ stage: 'server', refusal: null });
});

test('rows that a sign-out in another tab removed do not come back', async () => {
  let owner = true;
  const made = await running({ isOwner: () => owner });
  await made.outbox.answer(made.attemptId, open('тайна'));
  await made.outbox.snapshot(made.attemptId);
  owner = false;
  await clear('attempts', 'operations', 'contents')(made);
  expect(await made.outbox.snapshot(made.attemptId)).toBeNull();
  expect(await made.storage.read(['operations'], (tx) => tx.all('operations'))).toEqual([]);
});
