import { deflateSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { encryptBytes, importDeviceKey } from '#app/storage/cipher.ts';
import type { HandoverReceipts } from '#contract/handover.ts';
import { handoverReceiptsPlace, joinPart } from '#domain/handover.ts';
import { ANNA, id, MINUTE, open, QUESTIONS, START, TEST_ID } from './fake-server.ts';
import { device, running, type TestDevice } from './test-device.ts';

const KEY_TEXT = Buffer.alloc(32, 'key').toString('base64url');

const observeEpoch = ({ server, outbox, skew }: TestDevice, serverEpoch: number) =>
  outbox.observe({
    route: 'health',
    status: 200,
    serverTime: server.world.now,
    serverEpoch,
    activeStream: null,
    sessionExpiresAt: null,
    receivedWall: server.world.now + skew.ms,
    rttMs: 0,
  });

/** An attempt that began on a device which knows the server of epoch 1. */
async function begun() {
  const made = await device();
  await observeEpoch(made, 1);
  await made.outbox.openRows(ANNA, KEY_TEXT);
  const stream = id();
  const { attemptId } = await (
    await made.outbox.begins()
  ).store({
    owner: ANNA,
    attemptId: id(),
    testId: TEST_ID,
    title: 'Проба',
    language: undefined,
    attemptNumber: 1,
    attemptsCount: 1,
    questions: QUESTIONS.map((questionId) => ({
      questionId,
      text: 'Вопрос',
      points: 1,
      kind: 'open',
      input: 'line',
    })),
    stream,
    proof: 'proof',
    durationMs: 40 * MINUTE,
    endsAt: null,
    countsUntil: (deadline) => deadline,
  });
  return { ...made, attemptId, stream };
}

async function seal(receipts: HandoverReceipts): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importDeviceKey(KEY_TEXT);
  if (!key) throw new Error('no key');
  const plain = Uint8Array.from(deflateSync(joinPart(receipts, new Uint8Array())));
  const { iv, cipher } = await encryptBytes(key, handoverReceiptsPlace(ANNA), plain);
  return Uint8Array.from([...new Uint8Array(iv), ...new Uint8Array(cipher)]);
}

test.each([
  ['the present server', 1, 'accepted'],
  ['before a restore, which may have lost the begin', 2, 'waiting'],
])('a begin is settled only by receipts of %s', async (_what, epoch, state) => {
  const made = await begun();
  const { attemptId, stream, outbox } = made;
  const sealed = await seal({
    serverEpoch: 1,
    begins: [
      {
        attemptId,
        stream,
        startedAt: new Date(START).toISOString(),
        deadline: new Date(START + 40 * MINUTE).toISOString(),
        countsUntil: new Date(START + 55 * MINUTE).toISOString(),
        hold: null,
      },
    ],
    receipts: [],
  });
  await observeEpoch(made, epoch);
  expect(await (await outbox.handovers()).apply(sealed)).toEqual({ receipts: 0 });
  expect(await outbox.snapshot(attemptId)).toMatchObject({ begin: { state } });
});

test('the times that a receipt brings replace those that the device estimated, once', async () => {
  const { attemptId, stream, outbox } = await begun();
  const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
  const handovers = await outbox.handovers();
  for (const minutes of [30, 20]) {
    const times = { startedAt: at(0), deadline: at(minutes), countsUntil: at(minutes + 5) };
    const given = { attemptId, stream, ...times, hold: 'beforeCode' as const };
    await handovers.apply(await seal({ serverEpoch: 1, begins: [given], receipts: [] }));
    expect(await outbox.snapshot(attemptId)).toMatchObject({
      deadline: START + 30 * MINUTE,
      countsUntil: START + 35 * MINUTE,
      begin: { state: 'held', estimate: START + 40 * MINUTE },
    });
  }
});

test('without files no photo is read, and the finish that waits for it is not among the parts', async () => {
  const { outbox, storage, attemptId } = await running();
  await outbox.openRows(ANNA, KEY_TEXT);
  await outbox.answer(attemptId, open('да', 0));
  const bytes = new Uint8Array([1, 2, 3]);
  await outbox.addFile(attemptId, QUESTIONS[3], { name: 'a.png', mimeType: 'image/png', bytes });
  await outbox.finish(attemptId, 'student');
  const read = vi.spyOn(storage, 'read');
  const isFileRead = () => read.mock.calls.some(([stores]) => stores.includes('fileBytes'));
  const handovers = await outbox.handovers();
  expect(await handovers.make('withoutFiles')).toMatchObject({
    portions: 1,
    parts: { length: 1 },
    operations: 3,
    files: 1,
    isWhole: false,
  });
  expect(isFileRead()).toBe(false);
  expect(await handovers.make()).toMatchObject({ portions: 1, parts: { length: 3 }, files: 1 });
  expect(isFileRead()).toBe(true);
});
