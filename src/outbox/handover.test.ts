import { deflateSync, inflateSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { decryptBytes, encryptBytes, importDeviceKey } from '#app/storage/cipher.ts';
import type { BrokenRow, OperationRow } from '#app/storage/rows.ts';
import { clearMirror } from '#app/storage/session-mirror.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { HEADER } from '#contract/headers.ts';
import type { HandoverCall, HandoverReceipts } from '#contract/handover.ts';
import { handoverPlace, handoverReceiptsPlace, joinPart, splitPart } from '#domain/handover.ts';
import { ANNA, id, MINUTE, open, QUESTIONS, START, TEST_ID } from './fake-server.ts';
import { begin, opened } from './test-begin.ts';
import { POISONED_AFTER } from './plan.ts';
import {
  device,
  drain,
  observeReply,
  running,
  signIn,
  type DeviceOptions,
  type TestDevice,
} from './test-device.ts';
import { operation } from './test-rows.ts';

const KEY_TEXT = Buffer.alloc(32, 'key').toString('base64url');

/** An attempt that began on a device which knows the server of epoch 1. */
async function begun(options: DeviceOptions = {}) {
  const made = await device(options);
  await observeReply(made, 1);
  await made.outbox.openRows(ANNA, KEY_TEXT);
  return { ...made, ...(await begin(made, opened())) };
}

interface OpenedPart {
  readonly madeAt: string | null;
  readonly calls: HandoverCall[];
}

async function openParts(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<OpenedPart[]> {
  const key = await importDeviceKey(KEY_TEXT);
  const opened = parts.map(async (sealed) => {
    const [iv, cipher] = [sealed.slice(0, 12).buffer, sealed.slice(12).buffer];
    const plain = key && (await decryptBytes(key, handoverPlace(ANNA), { iv, cipher }));
    const part = plain && splitPart(inflateSync(plain));
    if (!part) throw new Error('a part does not open');
    return JSON.parse(new TextDecoder().decode(part.json)) as OpenedPart;
  });
  return Promise.all(opened);
}

/** «finish of A», in the order of the parts. */
const callsIn = async (parts: readonly Uint8Array<ArrayBuffer>[] = []) =>
  (await openParts(parts)).map(({ calls }) =>
    calls.map((one) => ('attemptId' in one ? `${one.call} of ${one.attemptId}` : one.call)),
  );

async function seal(receipts: HandoverReceipts): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importDeviceKey(KEY_TEXT);
  if (!key) throw new Error('no key');
  const plain = Uint8Array.from(deflateSync(joinPart(receipts, new Uint8Array())));
  const { iv, cipher } = await encryptBytes(key, handoverReceiptsPlace(ANNA), plain);
  return Uint8Array.from([...new Uint8Array(iv), ...new Uint8Array(cipher)]);
}

test('a page without a reply of its own hands over, and shows, by the time that another page has learned', async () => {
  const skew = { ms: 5 * MINUTE };
  const first = await device({ skew });
  const { factory, server } = first;
  // Sends nothing, and reads the clock, which is new.
  await first.outbox.flush();
  const attempt = await begun({ factory, server, skew });
  server.world.now += MINUTE;
  const [part] = await openParts((await (await first.outbox.handovers()).make())?.parts ?? []);
  expect(part).toMatchObject({
    madeAt: new Date(START + MINUTE).toISOString(),
    calls: [{ call: 'begin', headers: { [HEADER.age]: String(MINUTE) } }],
  });
  expect(await first.outbox.snapshot(attempt.attemptId)).toMatchObject({
    remainingMs: 39 * MINUTE,
  });
});

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
  await observeReply(made, epoch);
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

test('a file delays the finish of its own attempt alone', async () => {
  const made = await running();
  const { outbox, attemptId } = made;
  await outbox.openRows(ANNA, KEY_TEXT);
  const bytes = new Uint8Array([1, 2, 3]);
  await outbox.addFile(attemptId, QUESTIONS[3], { name: 'a.png', mimeType: 'image/png', bytes });
  await outbox.finish(attemptId, 'student');
  const other = await begin(made, opened());
  await outbox.finish(other.attemptId, 'student');
  const first = ['begin', `answer of ${attemptId}`, `finish of ${other.attemptId}`];
  const handovers = await outbox.handovers();
  expect(await callsIn((await handovers.make('withoutFiles'))?.parts)).toEqual([first]);
  expect(await callsIn((await handovers.make())?.parts)).toEqual([
    first,
    [`upload of ${attemptId}`],
    [`finish of ${attemptId}`],
  ]);
});

const refused = (attemptId: string): OperationRow =>
  operation({
    owner: ANNA,
    attemptId,
    state: 'setAside',
    refusal: { status: 422, code: 'UNKNOWN_QUESTION', message: 'нет' },
  });
const unreadable = (original: object): BrokenRow => ({
  id: id(),
  store: 'operations',
  original: { owner: ANNA, ...original },
  issue: 'damaged',
});

const BESIDE = [
  ['an answer of another attempt that was refused', () => refused(id()), true],
  ['a refused answer of the attempt', refused, false],
  ['an unreadable row of another attempt', () => unreadable({ attemptId: id() }), true],
  ['an unreadable row of the attempt', (attemptId: string) => unreadable({ attemptId }), false],
  ['an unreadable row of nobody knows what', () => unreadable({}), false],
] as const;

const store = ({ storage }: TestDevice, row: OperationRow | BrokenRow) =>
  storage.write(['operations', 'broken'], (tx) =>
    'issue' in row ? tx.put('broken', row) : tx.put('operations', row),
  );

test.each(BESIDE)(
  'beside %s the plain file has more only if it is of the same attempt',
  async (_what, row, isWhole) => {
    const made = await running();
    const { outbox, attemptId } = made;
    await outbox.openRows(ANNA, KEY_TEXT);
    await store(made, row(attemptId));
    await outbox.answer(attemptId, open('да', 0));
    expect(await (await outbox.handovers()).make()).toMatchObject({ operations: 1, isWhole });
  },
);

test.each(BESIDE)('beside %s a begin is handed over all the same', async (_what, row) => {
  const made = await begun();
  await store(made, row(made.attemptId));
  const handover = await (await made.outbox.handovers()).make();
  expect(handover).toMatchObject({ isWhole: true });
  expect(await callsIn(handover?.parts)).toEqual([['begin']]);
});

test('beside a file that cannot be read a begin is handed over all the same', async () => {
  const made = await begun();
  const { outbox, storage, attemptId } = made;
  const bytes = new Uint8Array([1, 2, 3]);
  await outbox.addFile(attemptId, QUESTIONS[3], { name: 'a.png', mimeType: 'image/png', bytes });
  const { read } = storage;
  vi.spyOn(storage, 'read').mockImplementation(async (stores, run) => {
    if (stores.includes('fileBytes')) throw new StorageFailure('quota');
    return read(stores, run);
  });
  const handover = await (await outbox.handovers()).make();
  expect(handover).toMatchObject({ files: 0, isWhole: true });
  expect(await callsIn(handover?.parts)).toEqual([['begin', `answer of ${attemptId}`]]);
});

test('where nothing waits, a refused answer of any attempt is left for the plain file', async () => {
  const made = await running();
  await made.outbox.openRows(ANNA, KEY_TEXT);
  await store(made, refused(id()));
  expect(await (await made.outbox.handovers()).make()).toMatchObject({
    operations: 0,
    isWhole: false,
  });
});

/** Makes the calls that wait on the device, as a teacher brings them in; the device learns nothing. */
async function bringIn({ outbox, server }: TestDevice): Promise<string[]> {
  const handover = await (await outbox.handovers()).make();
  const calls = (await openParts(handover?.parts ?? [])).flatMap((part) => part.calls);
  for (const one of calls) {
    const headers = ('headers' in one ? one.headers : {}) as Record<string, string>;
    if (one.call === 'begin') server.begin(headers);
    else server.receive(headers, null);
  }
  return calls.map(({ call }) => call);
}

/** An attempt whose begin and automatic finish a teacher brought in: the server holds both, its device knows nothing. */
async function broughtIn() {
  const made = await begun();
  const { outbox, server, world, attemptId, stream } = made;
  server.hold = 'beforeCode';
  world.now = server.deadline;
  await outbox.finish(attemptId, 'deadline');
  await bringIn(made);
  // What a confirmation says now, or its part that is about the finish alone.
  const confirm = (isAllOfIt = true) => {
    const begin = { attemptId, stream, startedAt: new Date(START).toISOString() };
    const begins = [{ ...begin, ...server.times(), hold: server.hold ?? null }];
    const receipts = [...server.journal.values()].map(({ receipt }) => receipt);
    return seal({ serverEpoch: 1, begins: isAllOfIt ? begins : [], receipts });
  };
  const apply = async (sealed: Uint8Array<ArrayBuffer>) => (await outbox.handovers()).apply(sealed);
  const acceptWith = (minutes: number) => {
    server.hold = undefined;
    server.deadline += minutes * MINUTE;
  };
  return { ...made, confirm, apply, acceptWith, view: () => outbox.snapshot(attemptId) };
}

const GOES_ON = { state: 'running', readOnly: null, begin: { state: 'accepted' } };

const setAside = {
  state: 'setAside',
  refusal: { status: 404, code: 'NOT_FOUND', message: 'нет' },
} as const;

/** A running attempt on a device that knows the server of epoch 1, with the key of its student. */
async function runningWithKey() {
  const made = await running();
  await observeReply(made, 1);
  await made.outbox.openRows(ANNA, KEY_TEXT);
  return made;
}

const picture = (name: string, bytes: readonly number[] = [1, 2, 3]) => ({
  name,
  mimeType: 'image/png',
  bytes: new Uint8Array(bytes),
});

/** Two pictures of one answer. */
async function addTwo({ outbox, attemptId }: Awaited<ReturnType<typeof running>>) {
  for (const name of ['a.png', 'b.png'])
    await outbox.addFile(attemptId, QUESTIONS[3], picture(name), (files, added) => [
      ...files,
      added,
    ]);
}

/** Brings in what waits and confirms it: how many receipts the device applied. */
async function bringInAndConfirm(made: TestDevice) {
  const { outbox, server, storage } = made;
  const written = await storage.read(['operations'], (tx) => tx.all('operations'));
  await bringIn(made);
  const receipts = written.flatMap(
    ({ operationId }) => server.journal.get(operationId)?.receipt ?? [],
  );
  const confirmed = await seal({ serverEpoch: 1, begins: [], receipts });
  return (await outbox.handovers()).apply(confirmed);
}

test.each([
  ['that were refused meanwhile', 'setAside', [setAside, setAside]],
  ['of which one was refused meanwhile', 'setAside', [setAside, {}]],
  ['that were never sent', 'waiting', [{}, {}]],
  ['of which one is half sent', 'waiting', [{ state: 'uploading', received: 0 }, {}]],
] as const)(
  'files %s follow their answer once a confirmation says that it counts',
  async (_which, state, changes) => {
    const made = await runningWithKey();
    const { outbox, server, storage, attemptId } = made;
    await addTwo(made);
    await bringIn(made);
    const handedOver: string[] = [];
    await storage.write(['operations', 'files'], async (tx) => {
      for (const one of await tx.all('operations', 'attempt', attemptId)) {
        handedOver.push(one.operationId);
        const isRefused = one.state === 'waiting' && state === 'setAside';
        if (isRefused) await tx.put('operations', { ...one, ...setAside });
      }
      for (const [n, one] of (await tx.all('files', 'attempt', attemptId)).entries())
        await tx.put('files', { ...one, ...changes[n] });
    });
    const receipts = [...server.journal.values()]
      .map(({ receipt }) => receipt)
      .filter(({ operationId }) => handedOver.includes(operationId));
    const handovers = await outbox.handovers();
    const confirmed = await handovers.apply(await seal({ serverEpoch: 1, begins: [], receipts }));
    expect(confirmed).toEqual({ receipts: receipts.length });
    await drain(made);
    const whole = expect.objectContaining({ complete: true });
    expect([...server.uploads.values()]).toEqual([whole, whole]);
    expect(await outbox.snapshot(attemptId)).toMatchObject({ counts: { setAside: 0 } });
  },
);

/** An answer with a photo that was handed over by camera and confirmed: its file is still on the device. */
async function confirmedByCamera() {
  const made = await runningWithKey();
  await made.outbox.addFile(made.attemptId, QUESTIONS[3], picture('a.png'));
  expect(await bringInAndConfirm(made)).toEqual({ receipts: 1 });
  return made;
}

test('an answer is unsent until its file has followed it', async () => {
  const made = await confirmedByCamera();
  const { outbox, storage, attemptId } = made;
  expect(await outbox.unsentCount(ANNA)).toBe(1);
  expect(await outbox.syncState()).toMatchObject({ kind: 'sending', count: 1 });
  expect(await outbox.snapshot(attemptId)).toMatchObject({
    answers: expect.arrayContaining([
      expect.objectContaining({ questionId: QUESTIONS[3], stage: 'device', receipt: null }),
    ]),
    counts: { waiting: 1 },
    sync: { kind: 'sending', count: 1 },
  });
  const [unsent] = await outbox.unsentAttempts(ANNA);
  expect(unsent).toMatchObject({ attemptId, operations: [{ state: 'device', isWaiting: true }] });
  const { attempts } = JSON.parse(await outbox.exportUnsent(ANNA)) as {
    attempts: { files: unknown[] }[];
  };
  expect(attempts).toMatchObject([{ attemptId, files: [{ base64: 'AQID' }] }]);
  await clearMirror(storage);
  await outbox.encryptRows();
  const [row] = await storage.read(['encrypted'], (tx) => tx.all('encrypted', 'kind', 'attempt'));
  expect(row).toMatchObject({ waits: true, outlivedAt: null });
  await signIn(storage, ANNA);
  await outbox.openRows(ANNA, KEY_TEXT);
  await drain(made);
  expect(await outbox.unsentCount(ANNA)).toBe(0);
  expect(await outbox.unsentAttempts(ANNA)).toEqual([]);
  expect(await outbox.snapshot(attemptId)).toMatchObject({
    counts: { waiting: 0 },
    sync: { kind: 'delivered' },
  });
});

/** An answer that was confirmed by camera, and whose file its server refuses for good. */
async function refusedAfterCamera() {
  const made = await confirmedByCamera();
  made.server.fault = ({ name }) => (name === 'uploadChunk' ? 'FILE_REFUSED' : null);
  await drain(made);
  return made;
}

test('an answer is set aside when its file is refused after its confirmation', async () => {
  const made = await refusedAfterCamera();
  const { outbox, storage, attemptId, events } = made;
  expect(events).toContainEqual(expect.objectContaining({ kind: 'setAside', attemptId }));
  expect(await outbox.syncState()).toMatchObject({ kind: 'setAside', count: 1 });
  const refused = { stage: 'setAside', refusal: expect.objectContaining({ code: 'FILE_REFUSED' }) };
  const shown = expect.objectContaining({ questionId: QUESTIONS[3], receipt: null, ...refused });
  const seen = {
    answers: expect.arrayContaining([shown]),
    counts: { waiting: 0, setAside: 1 },
    sync: { kind: 'setAside', count: 1 },
  };
  expect(await outbox.snapshot(attemptId)).toMatchObject(seen);
  const [unsent] = await outbox.unsentAttempts(ANNA);
  expect(unsent).toMatchObject({ attemptId, operations: [{ state: 'setAside' }] });
  const { attempts } = JSON.parse(await outbox.exportUnsent(ANNA)) as {
    attempts: { files: unknown[] }[];
  };
  expect(attempts).toMatchObject([{ attemptId, files: [{ base64: 'AQID' }] }]);
  await outbox.finish(attemptId, 'student');
  await drain(made);
  expect(await outbox.snapshot(attemptId)).toMatchObject({ state: 'finished', ...seen });
  await clearMirror(storage);
  await outbox.encryptRows();
  const [row] = await storage.read(['encrypted'], (tx) => tx.all('encrypted', 'kind', 'attempt'));
  expect(row).toMatchObject({ outlivedAt: null });
});

const DELIVERED = { counts: { waiting: 0, setAside: 0 }, sync: { kind: 'delivered' } };

test('a file that was refused after its confirmation is sent again on request', async () => {
  const made = await refusedAfterCamera();
  const { outbox, server, attemptId } = made;
  server.fault = () => null;
  await outbox.retrySetAside(attemptId);
  await drain(made);
  expect([...server.uploads.values()]).toEqual([expect.objectContaining({ complete: true })]);
  expect(await outbox.snapshot(attemptId)).toMatchObject(DELIVERED);
});

test('another file takes the place of one that was refused after its confirmation', async () => {
  const made = await refusedAfterCamera();
  const { outbox, server, attemptId } = made;
  server.fault = () => null;
  await outbox.addFile(attemptId, QUESTIONS[3], picture('b.png', [4]));
  expect(await outbox.syncState()).toMatchObject({ kind: 'sending', count: 1 });
  await drain(made);
  expect(await outbox.snapshot(attemptId)).toMatchObject(DELIVERED);
  expect(await outbox.unsentAttempts(ANNA)).toEqual([]);
  expect(await outbox.syncState()).toMatchObject({ kind: 'delivered' });
});

test('a file that was refused after its confirmation leaves the other answers their handover', async () => {
  const { outbox, attemptId } = await refusedAfterCamera();
  const handovers = await outbox.handovers();
  expect(await handovers.make()).toMatchObject({ operations: 0, files: 0, isWhole: false });
  await outbox.answer(attemptId, open('да'));
  // The plain file would make it wait for the teacher, and its photo would be refused as well.
  expect(await handovers.make()).toMatchObject({ operations: 1, isWhole: true });
});

test('an answer of a later stream takes the place of one with a refused file', async () => {
  const made = await refusedAfterCamera();
  const { outbox, server, attemptId } = made;
  server.fault = () => null;
  server.start(id());
  expect(await outbox.startAttempt(TEST_ID, { takeOver: attemptId })).toMatchObject({
    kind: 'started',
  });
  await outbox.addFile(attemptId, QUESTIONS[3], picture('b.png', [4]));
  await drain(made);
  expect(await outbox.snapshot(attemptId)).toMatchObject(DELIVERED);
  expect(await outbox.unsentAttempts(ANNA)).toEqual([]);
});

test('a newer answer of the server is shown in the place of one with a refused file', async () => {
  const made = await refusedAfterCamera();
  const { outbox, server, storage, attemptId } = made;
  server.fault = () => null;
  const { operationId } = await outbox.addFile(attemptId, QUESTIONS[3], picture('b.png', [4]));
  await drain(made);
  // It was in the memory of a page on a full device.
  await storage.write(['operations'], (tx) => tx.delete('operations', operationId));
  await outbox.adoptSaved(attemptId, server.saved());
  const view = await outbox.snapshot(attemptId);
  expect(view?.answers[3]).toMatchObject({ stage: 'server', answer: { name: 'b.png' } });
});

test.each([
  ['beside one that was refused', ['FILE_REFUSED', 'GONE'], 1],
  ['beside one that has yet to follow', ['GONE', null], 0],
] as const)(
  'row 34: a file of a deleted attempt goes before the finish when it is back, also %s',
  async (_which, codes, place) => {
    const made = await runningWithKey();
    const { outbox, server, storage, attemptId } = made;
    await addTwo(made);
    expect(await bringInAndConfirm(made)).toEqual({ receipts: 1 });
    const files = await storage.read(['files'], (tx) => tx.all('files'));
    await storage.write(['files'], async (tx) => {
      for (const [n, file] of files.entries()) {
        const code = codes[n];
        const refusal = code ? { status: 410, code, message: '' } : null;
        if (refusal) await tx.put('files', { ...file, state: 'setAside', wanted: false, refusal });
      }
    });
    await outbox.opened();
    await outbox.finish(attemptId, 'student');
    await drain(made);
    expect(server.uploads.get(files[place]?.fileId ?? '')).toMatchObject({ complete: true });
  },
);

test('a file that follows its confirmed answer outlasts a server without space', async () => {
  const made = await confirmedByCamera();
  const { outbox, server, world, attemptId } = made;
  server.fault = ({ name }) =>
    name === 'uploadChunk' || name === 'getUpload' ? 'STORAGE_FULL' : null;
  for (let n = 0; n < 2 * POISONED_AFTER; n += 1) {
    await outbox.answer(attemptId, open(`ответ ${n}`));
    await outbox.flush({ force: true });
    world.now += MINUTE / 2;
  }
  server.fault = () => null;
  await outbox.finish(attemptId, 'student');
  await drain(made);
  expect([...server.uploads.values()]).toEqual([expect.objectContaining({ complete: true })]);
});

test('a confirmation from before added minutes does not finish the attempt that goes on', async () => {
  const made = await broughtIn();
  const { outbox, attemptId, events, confirm, apply, acceptWith, view } = made;
  const before = await confirm();
  await apply(before);
  expect(await view()).toMatchObject({ readOnly: 'finished', begin: { state: 'held' } });
  acceptWith(10);
  await (await outbox.begins()).ask(attemptId);
  expect(await view()).toMatchObject(GOES_ON);
  events.length = 0;
  expect(await apply(before)).toEqual({ receipts: 0 });
  expect(await view()).toMatchObject(GOES_ON);
  expect(events).not.toContainEqual({ kind: 'finished', attemptId });
});

test.each([
  ['after one from before them', true],
  ['alone', false],
])('a confirmation %s brings the added minutes without a network', async (_case, isSecond) => {
  const { confirm, apply, acceptWith, view, server, world, outbox } = await broughtIn();
  if (isSecond) await apply(await confirm());
  acceptWith(10);
  await apply(await confirm());
  expect(await view()).toMatchObject({ ...GOES_ON, remainingMs: 10 * MINUTE });
  // It ends again by itself.
  world.now = server.deadline + MINUTE;
  await drain({ outbox, world });
  expect(await view()).toMatchObject({ readOnly: 'finished', finishedAt: world.now });
});

test.each([
  ['goes on with the time that is left', 0, GOES_ON],
  ['is finished anew when it is over', 11, { state: 'finished', finishWaits: false }],
])('an attempt that got minutes by then %s', async (_case, later, shown) => {
  const { acceptWith, view, server, world, outbox, attemptId } = await broughtIn();
  acceptWith(10);
  world.now += later * MINUTE;
  await drain({ outbox, world });
  expect(await view()).toMatchObject(shown);
  const finishes = [...server.journal.values()].map(({ receipt }) => receipt.outcome);
  expect(finishes).toEqual(later > 0 ? ['held', 'stored'] : ['held']);
  expect(await outbox.unsentCount(ANNA)).toBe(0);
  expect(await outbox.attempt(attemptId)).toMatchObject({ deadline: server.deadline });
});

test('a held finish is not settled before its begin', async () => {
  const { confirm, apply, acceptWith, view, world, outbox } = await broughtIn();
  expect(await apply(await confirm(false))).toEqual({ receipts: 0 });
  expect(await view()).toMatchObject({ readOnly: 'finishing', begin: { state: 'waiting' } });
  acceptWith(10);
  await drain({ outbox, world });
  expect(await view()).toMatchObject(GOES_ON);
});

/** Attempts of which a confirmation names the finish alone. */
const WITHOUT_BEGIN: [string, () => Promise<TestDevice & { readonly attemptId: string }>][] = [
  [
    'was held over the network',
    async () => {
      const made = await begun();
      made.server.hold = 'beforeCode';
      await drain(made);
      expect(await made.outbox.attempt(made.attemptId)).toMatchObject({ state: 'running' });
      return made;
    },
  ],
  [
    'was held by the confirmation of an earlier part',
    async () => {
      const made = await begun();
      const { server, outbox, attemptId, stream } = made;
      server.hold = 'beforeCode';
      await bringIn(made);
      const given = { attemptId, stream, startedAt: new Date(START).toISOString() };
      const begins = [{ ...given, ...server.times(), hold: 'beforeCode' }];
      await (await outbox.handovers()).apply(await seal({ serverEpoch: 1, begins, receipts: [] }));
      expect(await outbox.snapshot(attemptId)).toMatchObject({ begin: { state: 'held' } });
      return made;
    },
  ],
  [
    'was refused',
    async () => {
      const made = await begun();
      made.server.fault = ({ name }) => (name === 'start' ? 'UNKNOWN_OFFER' : null);
      await drain(made);
      const { begin: known } = (await made.outbox.snapshot(made.attemptId)) ?? {};
      expect(known).toMatchObject({ state: 'refused' });
      return made;
    },
  ],
  [
    'was the server’s own, which a restore lost',
    async () => {
      const made = await running();
      made.server.epoch = 2;
      await observeReply(made, 2);
      await made.outbox.openRows(ANNA, KEY_TEXT);
      return made;
    },
  ],
];

test.each(WITHOUT_BEGIN)(
  'an attempt whose begin %s is finished by a confirmation of its finish alone',
  async (_what, make) => {
    const made = await make();
    const { outbox, server, world, attemptId } = made;
    world.now = server.deadline;
    await outbox.finish(attemptId, 'deadline');
    expect(await bringIn(made)).toEqual(['finish']);
    const { deadline } = server;
    const receipts = [...server.journal.values()].map(({ receipt }) => ({
      ...receipt,
      outcome: 'held' as const,
    }));
    const sealed = await seal({ serverEpoch: server.epoch, begins: [], receipts });
    expect(await (await outbox.handovers()).apply(sealed)).toEqual({ receipts: 1 });
    expect(await outbox.attempt(attemptId)).toMatchObject({ state: 'finished', deadline });
    expect(await outbox.unsentCount(ANNA)).toBe(0);
  },
);
