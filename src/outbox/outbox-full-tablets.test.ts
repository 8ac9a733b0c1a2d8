import { expect, test } from 'vitest';
import { HEADER } from '#contract/headers.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { decideAttempt } from './decide-attempt.ts';
import { ANNA, id, MINUTE, open, TEST_ID } from './fake-server.ts';
import { begin, opened } from './test-begin.ts';
import { device, drain, running, signIn, smallStorage, type TestDevice } from './test-device.ts';
import { ATTEMPT, attempt, createTestCore, type TestCore } from './test-rows.ts';

const KEY = 'A'.repeat(43);

/** Stores nothing more once it is full. */
const fillingStorage = () => smallStorage(() => true);

/** Without space for what lies encrypted on it. A single answer still fits. */
const storageWithoutSpaceToDecrypt = () =>
  smallStorage((stores) => stores.includes('encrypted') && stores.includes('device'));

/** Signs out and in again; without space for them, all rows stay encrypted. */
async function signInWithoutSpace(
  { outbox, storage }: TestDevice,
  space: { isLeft: boolean },
): Promise<void> {
  await clearMirror(storage);
  await outbox.encryptRows();
  space.isLeft = false;
  await signIn(storage, ANNA);
  await outbox.openRows(ANNA, KEY);
  expect(await outbox.unreadable()).toBe(1);
}

test.each([
  ['was sent, with the same sequence', [open('старый')], true],
  ['was never sent, with the same sequence', [open('старый')], false],
  ['was never sent, with a higher sequence', [open('другой', 1), open('старый')], false],
])(
  'the answer of a page that did not know of an older one counts: it %s',
  async (_, older, isSent) => {
    const { storage, space } = storageWithoutSpaceToDecrypt();
    const made = await running({ storage });
    const { outbox, server, world, attemptId } = made;
    await outbox.openRows(ANNA, KEY);
    // It shows the attempt before anything is answered.
    const other = await device({ storage, server, isOwner: (owner) => owner === ANNA });
    await other.outbox.snapshot(attemptId);
    server.fault = () => 'loseRequest';
    for (const one of older) await outbox.answer(attemptId, one);
    if (isSent) await outbox.flush();
    await signInWithoutSpace(made, space);

    world.now += MINUTE;
    const newer = await other.outbox.answer(attemptId, open('новый'));
    expect(newer).toMatchObject({ sequence: 1, saved: true });
    server.fault = () => null;
    await drain({ outbox: other.outbox, world });
    expect(server.text()).toBe('новый');

    space.isLeft = true;
    await outbox.openRows(ANNA, KEY);
    await outbox.finish(attemptId, 'student');
    await drain(made);
    expect(server.text()).toBe('новый');
    expect(server.text(1)).toBe(older.length > 1 ? 'другой' : null);
    expect(server.finished).not.toBeNull();
    expect(await outbox.unsentCount(ANNA)).toBe(0);
  },
);

const beginOf = (made: TestDevice, attemptId: string) => begin(made, opened({ attemptId }));

test.each([
  ['is not sent', false],
  ['was accepted', true],
])(
  'a begin that %s and has no space forbids no begin of another offer, but a second one of its own',
  async (_, isSent) => {
    const { storage, space } = storageWithoutSpaceToDecrypt();
    const made = await device({ storage });
    const { outbox, server } = made;
    await outbox.openRows(ANNA, KEY);
    const [first, second] = [id(), id()];
    const { stream } = await beginOf(made, first);
    if (isSent) await drain(made);
    expect(server.begins.size).toBe(isSent ? 1 : 0);
    await signInWithoutSpace(made, space);

    expect(await beginOf(made, second)).toMatchObject({ attemptId: second, state: 'running' });
    await expect(beginOf(made, first)).rejects.toMatchObject({ kind: 'quota' });
    space.isLeft = true;
    expect(await beginOf(made, first)).toMatchObject({ attemptId: first, stream });
  },
);

test('an attempt that has no space holds up no finish of another one that has lost an answer', async () => {
  const { storage, space } = storageWithoutSpaceToDecrypt();
  const made = await device({ storage });
  const { outbox, server } = made;
  await outbox.openRows(ANNA, KEY);
  await beginOf(made, id());
  await signInWithoutSpace(made, space);

  const outcome = await outbox.startAttempt(TEST_ID);
  if (outcome.kind !== 'started') throw new Error(outcome.kind);
  const { attemptId } = outcome.attempt;
  server.fault = () => 'loseRequest';
  const lost = await outbox.answer(attemptId, open('потерян'));
  await outbox.answer(attemptId, open('да', 1));
  await storage.write(['operations'], (tx) => tx.delete('operations', lost.operationId));
  await outbox.finish(attemptId, 'student');
  server.fault = () => null;
  await drain(made);
  expect(await outbox.snapshot(attemptId)).toMatchObject({ state: 'finished' });
});

test('an attempt that has no space to be decrypted is not shown without its questions', async () => {
  const { storage, space } = storageWithoutSpaceToDecrypt();
  const made = await running({ storage, isOwner: (owner) => owner === ANNA });
  const { outbox, attemptId } = made;
  await outbox.openRows(ANNA, KEY);
  expect((await outbox.snapshot(attemptId))?.questions).not.toEqual([]);
  await signInWithoutSpace(made, space);
  expect(await outbox.snapshot(attemptId)).toBeNull();

  space.isLeft = true;
  await outbox.openRows(ANNA, KEY);
  expect((await outbox.snapshot(attemptId))?.questions).not.toEqual([]);
});

test('a finish waits for the answers of its own attempt that have no space', async () => {
  const { storage, space } = storageWithoutSpaceToDecrypt();
  const made = await running({ storage });
  const { outbox, server, attemptId } = made;
  await outbox.openRows(ANNA, KEY);
  const other = await device({ storage, server, isOwner: (owner) => owner === ANNA });
  server.fault = () => 'loseRequest';
  await outbox.answer(attemptId, open('тайна'));
  await other.outbox.attempt(attemptId);
  await signInWithoutSpace(made, space);

  await other.outbox.answer(attemptId, open('да', 1));
  await other.outbox.finish(attemptId, 'student');
  server.fault = () => null;
  await drain({ ...made, outbox: other.outbox });
  expect(server.finished).toBeNull();
  space.isLeft = true;
  await drain({ ...made, outbox: other.outbox });
  expect(server.text()).toBe('тайна');
  expect(server.finished).not.toBeNull();
});

test('on a full device a begin is refused once, and its answers are sent all the same', async () => {
  const { storage, space } = fillingStorage();
  const made = await device({ storage });
  const { outbox, server } = made;
  const attemptId = id();
  await beginOf(made, attemptId);
  await outbox.answer(attemptId, open('да'));
  server.holdsAnswers = true;
  // Accepts it after many calls: a pass that repeats it without a pause ends all the same.
  server.fault = ({ name }) =>
    name === 'start' && server.count('start') < 20 ? 'UNKNOWN_OFFER' : null;
  space.isLeft = false;
  await outbox.flush();
  expect(server.count('start')).toBe(1);
  expect(server.count('answer')).toBe(1);
  expect(await outbox.snapshot(attemptId)).toMatchObject({ begin: { state: 'refused' } });

  space.isLeft = true;
  await drain(made);
  expect(server.count('start')).toBe(1);
  expect(await storage.read(['attempts'], (tx) => tx.get('attempts', attemptId))).toMatchObject({
    begin: { state: 'refused' },
  });
});

test('row 18: on a full device a lost answer is declared once', async () => {
  const { storage, space } = fillingStorage();
  const made = await running({ storage });
  const { outbox, server, attemptId } = made;
  server.fault = () => 'loseRequest';
  const lost = await outbox.answer(attemptId, open('потерян'));
  await storage.write(['operations'], (tx) => tx.delete('operations', lost.operationId));
  await outbox.finish(attemptId, 'student');
  server.fault = ({ name, headers }) => {
    if (name !== 'finish' || headers[HEADER.setAside] === '1') return null;
    // Ends a pass that repeats it without a pause.
    if (server.count('finish') >= 20) return 'timeOut';
    return { code: 'INCOMPLETE', details: { missing: [1], files: [] } };
  };
  space.isLeft = false;
  await outbox.flush({ force: true });
  expect(server.count('finish')).toBe(2);
  expect(server.finished).not.toBeNull();
});

test('an answer that comes into memory meanwhile disturbs no decision of the server', async () => {
  const { storage, space } = fillingStorage();
  const row = attempt({ state: 'running', finishedAt: null });
  const copy = async (): Promise<void> => made.putInMemory({ attempts: [row] });
  const made: TestCore = await createTestCore({ attempts: [row] }, { storage, freeSpace: copy });
  space.isLeft = false;
  await decideAttempt(made.core, ATTEMPT, (one) => ({ ...one, gone: true }));
  const inMemory = await made.memory.read(['attempts'], (tx) => tx.get('attempts', ATTEMPT));
  expect(inMemory).toMatchObject({ gone: true });
});
