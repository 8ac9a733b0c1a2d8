import { expect, test } from 'vitest';
import type { AttemptRow, EncryptedRow, OperationRow, SessionRow } from '#app/storage/rows.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { decryptOwner, storeDeviceKey } from './decrypt.ts';
import { encryptAllBut, placeOf } from './encrypt.ts';
import { ANNA, BORIS, FakeServer, id, START } from './fake-server.ts';
import {
  ATTEMPT,
  attempt,
  createTestCore,
  file,
  holding,
  operation,
  STREAM,
  type TestCore,
  watchedStorage,
} from './test-rows.ts';

const KEY = 'A'.repeat(43);
const DAY = 86_400_000;
const { questions } = new FakeServer({ now: START }).start(STREAM);
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
const sheet = file({ owner: ANNA, size: 2 });
const settled = { state: 'acknowledged', serverEpoch: 1 } as const;

const everything = () => ({
  attempts: [row()],
  contents: [{ attemptId: ATTEMPT, questions, saved: null }],
  operations: [answer(), answer({ ...settled, fileId: sheet.fileId, sequence: 2 })],
  files: [sheet],
  fileBytes: [0, 1].map((part) => ({
    fileId: sheet.fileId,
    part,
    bytes: Uint8Array.of(part + 7).buffer,
  })),
  broken: [{ id: 'x', store: 'operations', original: { text: 'x' }, issue: 'owner' }],
});
const PLAIN = ['attempts', 'contents', 'operations', 'files', 'fileBytes', 'broken'] as const;
const plain = async (made: TestCore) => Promise.all(PLAIN.map((store) => made.all(store)));
const counts = async (made: TestCore) => (await plain(made)).map(({ length }) => length);
const encrypted = async (made: TestCore) =>
  (await made.all('encrypted')).map(({ id: _id, iv: _iv, cipher: _cipher, ...rest }) => rest);
const keys = async (made: TestCore) => (await made.all('deviceKeys')).map(({ owner }) => owner);

const described = (changes: Partial<EncryptedRow>) => ({
  owner: ANNA,
  fileIds: [],
  fileId: null,
  part: 0,
  waits: false,
  outlivedAt: null,
  ...changes,
});
const session = (owner: string): SessionRow => ({
  key: 'current',
  token: 'token',
  owner,
  user: { userId: owner, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  expiresAt: '',
});

async function left(
  rows: Parameters<typeof createTestCore>[0],
  env: Parameters<typeof createTestCore>[1] = {},
) {
  const made = await createTestCore(rows, env);
  await storeDeviceKey(made.core, ANNA, KEY);
  return made;
}

test('a student’s rows are encrypted whole, identified only by non-secret fields, and restored unchanged', async () => {
  const made = await left(everything());
  const before = await plain(made);
  await encryptAllBut(made.core, null);
  expect(await counts(made)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await keys(made)).toEqual([]);
  const { fileId } = sheet;
  const rows = await encrypted(made);
  expect(rows).toHaveLength(4);
  expect(rows).toEqual(
    expect.arrayContaining([
      described({ kind: 'attempt', fileIds: [fileId], waits: true }),
      described({ kind: 'bytes', fileId, part: 0 }),
      described({ kind: 'bytes', fileId, part: 1 }),
      described({ kind: 'broken' }),
    ]),
  );
  const key = await storeDeviceKey(made.core, ANNA, KEY);
  await decryptOwner(made.core, ANNA, key);
  expect(await plain(made)).toStrictEqual(before);
  expect(await encrypted(made)).toEqual([]);
  expect(made.core.runtime.unreadable).toBe(0);
});

test('a finished attempt records when it may be deleted', async () => {
  const made = await left({
    attempts: [row({ state: 'finished', finishedAt: START })],
    operations: [answer(settled)],
  });
  await encryptAllBut(made.core, null);
  expect(await encrypted(made)).toEqual([
    described({ kind: 'attempt', outlivedAt: START + 7 * DAY }),
  ]);
});

test.each([
  ['the excepted owner', ANNA, null],
  ['the signed-in owner', null, ANNA],
])('only rows of %s stay plaintext', async (_, except, signedIn) => {
  const made = await left({
    ...everything(),
    broken: [],
    attempts: [row(), row({ attemptId: 'b', owner: BORIS })],
    ...(signedIn === null ? {} : { session: [session(signedIn)] }),
  });
  await storeDeviceKey(made.core, BORIS, KEY);
  await encryptAllBut(made.core, except);
  expect(await counts(made)).toEqual([1, 1, 2, 1, 2, 0]);
  expect(await keys(made)).toEqual([ANNA]);
  expect(await encrypted(made)).toEqual([described({ owner: BORIS, kind: 'attempt' })]);
});

test.each([
  ['an answer', { operations: [answer({ attemptId: 'lost' })] }],
  ['a file', { files: [file({ owner: ANNA, attemptId: 'lost' })] }],
])(
  'row 10: %s with a lost attempt row is encrypted too, and no rows of other owners',
  async (_, rows) => {
    const others = { operations: [answer({ owner: BORIS, attemptId: 'b' })] };
    const made = await left({
      ...rows,
      operations: [...others.operations, ...('operations' in rows ? rows.operations : [])],
    });
    await encryptAllBut(made.core, BORIS);
    expect(await encrypted(made)).toMatchObject([{ owner: ANNA, kind: 'attempt' }]);
    expect(await made.all('operations')).toEqual(others.operations);
    expect(await made.all('files')).toEqual([]);
  },
);

test('a key without plaintext rows is deleted', async () => {
  const made = await left({});
  await encryptAllBut(made.core, null);
  expect(await keys(made)).toEqual([]);
});

test.each<[string, Parameters<typeof createTestCore>[0], number]>([
  [
    'delivered and finished rows are deleted',
    {
      attempts: [row({ state: 'finished' })],
      operations: [answer(settled)],
      fileBytes: [],
      files: [sheet],
    },
    0,
  ],
  ['waiting rows stay', { attempts: [row({ state: 'finished' })], operations: [answer()] }, 1],
  ['rows of a running attempt stay', { attempts: [row()], operations: [answer(settled)] }, 1],
])('without a key %s', async (_, rows, expected) => {
  const made = await createTestCore(rows);
  await encryptAllBut(made.core, null);
  expect((await made.all('attempts')).length).toBe(expected);
  expect((await made.all('operations')).length).toBe(expected);
  expect(await made.all('encrypted')).toEqual([]);
});

test('questions of an unknown attempt are deleted; others stay', async () => {
  const content = (attemptId: string) => ({ attemptId, questions: [], saved: null });
  const made = await left({
    attempts: [row({ attemptId: 'b', owner: BORIS })],
    operations: [answer({ attemptId: 'c', owner: BORIS }), answer({ attemptId: 'a' })],
    contents: ['a', 'b', 'c', 'd'].map(content),
  });
  await encryptAllBut(made.core, BORIS);
  expect(await made.all('contents')).toEqual(['b', 'c'].map(content));
});

test('rows that change during encryption are encrypted in their latest state', async () => {
  let made: TestCore | null = null;
  let times = 0;
  const one = answer();
  made = await createTestCore(
    { attempts: [row()], operations: [one] },
    {
      newId: () => {
        times += 1;
        if (times === 2) void made?.put({ operations: [{ ...one, failures: 5 }] });
        return id();
      },
    },
  );
  await storeDeviceKey(made.core, ANNA, KEY);
  await encryptAllBut(made.core, null);
  expect(await counts(made)).toEqual([0, 0, 0, 0, 0, 0]);
  await decryptOwner(made.core, ANNA, await storeDeviceKey(made.core, ANNA, KEY));
  expect((await made.operation(one))?.failures).toBe(5);
});

test('ever-changing rows stay plaintext with their key and do not block the others', async () => {
  let made: TestCore | null = null;
  let times = 0;
  const one = answer();
  made = await createTestCore(
    { attempts: [row(), row({ attemptId: 'other' })], operations: [one] },
    {
      newId: () => {
        times += 1;
        void made?.put({ operations: [{ ...one, failures: times }] });
        return id();
      },
    },
  );
  await storeDeviceKey(made.core, ANNA, KEY);
  await encryptAllBut(made.core, null);
  expect(await made.all('attempts')).toEqual([row()]);
  expect(await keys(made)).toEqual([ANNA]);
});

test.each(['attempts', 'fileBytes', 'broken'] as const)(
  'a sign-in while %s are being encrypted leaves them as plaintext',
  async (store) => {
    const device = watchedStorage();
    const made = await left({ ...everything() }, { storage: device.storage });
    const before = await made.all(store);
    device.before = async (stores) => {
      if (!stores.includes(store) || !stores.includes('encrypted')) return;
      device.before = async () => undefined;
      await storeDeviceKey(made.core, ANNA, KEY);
    };
    await encryptAllBut(made.core, null);
    expect(await made.all(store)).toStrictEqual(before);
    expect(await keys(made)).toEqual([ANNA]);
  },
);

test.each(['fileBytes', 'broken'] as const)(
  'rows that another tab has encrypted (%s) are not encrypted twice',
  async (store) => {
    const device = watchedStorage();
    const made = await left({ ...everything() }, { storage: device.storage });
    device.before = async (stores) => {
      if (!stores.includes(store) || !stores.includes('encrypted')) return;
      device.before = async () => undefined;
      await device.inner.write([store], async (tx) => {
        if (store === 'broken') await tx.delete('broken', 'x');
        else for (const part of [0, 1]) await tx.delete('fileBytes', [sheet.fileId, part]);
      });
    };
    await encryptAllBut(made.core, null);
    const kind = store === 'broken' ? 'broken' : 'bytes';
    expect((await encrypted(made)).filter((one) => one.kind === kind)).toEqual([]);
  },
);

test('plaintext bytes left by an interrupted run are encrypted too', async () => {
  const rows = everything();
  const made = await left({ ...rows, fileBytes: [] });
  await encryptAllBut(made.core, null);
  await storeDeviceKey(made.core, ANNA, KEY);
  await made.put({ fileBytes: rows.fileBytes });
  await encryptAllBut(made.core, null);
  expect(await made.all('fileBytes')).toEqual([]);
  expect(await keys(made)).toEqual([]);
});

test.each<[string, object, string, boolean]>([
  ['without an owner', { text: 'x' }, 'operations', true],
  ['of this owner', { owner: ANNA }, 'operations', true],
  ['with an invalid owner', { owner: 5 }, 'operations', true],
  ['of another student', { owner: BORIS }, 'operations', false],
  ['that is already encrypted', { owner: ANNA }, 'encrypted', false],
  ['that is a key', { owner: ANNA }, 'deviceKeys', false],
  ['that does not survive the round trip', { when: new Map() }, 'operations', false],
  ['with what JSON lacks', { points: Number.NaN, when: new Date(0) }, 'operations', true],
])('an unreadable row %s: %j', async (_, original, store, goes) => {
  const broken = { id: 'x', store, original, issue: 'x' };
  const made = await left({ attempts: [row()], broken: [broken] });
  await encryptAllBut(made.core, null);
  expect(await made.all('broken')).toEqual(goes ? [] : [broken]);
  expect(await keys(made), 'it holds up nothing').toEqual([]);
});

test.each([null, 'a text', 7])(
  'a broken row that is not an object (%j) is encrypted with any owner',
  async (original) => {
    const made = await left({ broken: [{ id: 'x', store: 'files', original, issue: 'x' }] });
    await encryptAllBut(made.core, null);
    expect(await made.all('broken')).toEqual([]);
    expect(await encrypted(made)).toEqual([described({ kind: 'broken' })]);
  },
);

test('the key stays while memory has rows of its owner', async () => {
  const made = await left({});
  await made.putInMemory({ attempts: [row({ owner: BORIS, attemptId: 'b' })] });
  await encryptAllBut(made.core, null);
  expect(await keys(made), 'another’s memory is nothing to him').toEqual([]);
  await storeDeviceKey(made.core, ANNA, KEY);
  await made.putInMemory({ attempts: [row()] });
  await encryptAllBut(made.core, null);
  expect(await keys(made)).toEqual([ANNA]);
});

test.each([
  ['quota', new StorageFailure('quota'), 'quota', true],
  ['lost', new StorageFailure('lost'), 'lost', false],
  ['an unexpected error', new Error('a mistake'), 'Error: a mistake', false],
])(
  'a failure (%s) is logged, blocks nothing, and is repeated the next time',
  async (_, failure, detail, frees) => {
    const device = watchedStorage();
    let freed = 0;
    const freeSpace = async () => {
      freed += 1;
      throw new Error('nothing to free');
    };
    const made = await left({ ...everything() }, { storage: device.storage, freeSpace });
    device.before = async (stores) => {
      if (stores.includes('attempts') && stores.includes('encrypted')) throw failure;
    };
    await encryptAllBut(made.core, null);
    expect(made.logged).toContainEqual({ event: 'encryptFailed', detail });
    expect(freed > 0).toBe(frees);
    expect(await counts(made), 'rows that could not be read went all the same').toEqual([
      1, 1, 2, 1, 2, 0,
    ]);
    expect(await keys(made)).toEqual([ANNA]);
    device.before = async () => undefined;
    await encryptAllBut(made.core, null);
    expect(await counts(made)).toEqual([0, 0, 0, 0, 0, 0]);
  },
);

test('a full device with nothing to free is no error', async () => {
  const device = watchedStorage();
  const made = await left({ ...everything() }, { storage: device.storage });
  device.before = async (stores) => {
    if (stores.includes('encrypted')) throw new StorageFailure('quota');
  };
  await encryptAllBut(made.core, null);
  expect(await counts(made)).toEqual([1, 1, 2, 1, 2, 1]);
});

test('a ciphertext is bound to its owner, kind and position', () => {
  const place = described({ id: 'i', kind: 'bytes', fileId: 'f', part: 3 }) as EncryptedRow;
  expect(placeOf(place)).toBe(`i/${ANNA}/bytes/f/3`);
  expect(placeOf({ ...place, kind: 'attempt', fileId: null, part: 0 })).toBe(
    `i/${ANNA}/attempt//0`,
  );
});

test.each(['fileBytes', 'broken'] as const)(
  'the key stays while any %s of its owner are plaintext',
  async (store) => {
    const device = watchedStorage();
    const made = await left({ ...everything() }, { storage: device.storage });
    device.before = async (stores) => {
      const isOneOfThem = stores.includes(store) && !stores.includes('attempts');
      if (isOneOfThem && stores.includes('encrypted')) throw new StorageFailure('lost');
    };
    await encryptAllBut(made.core, null);
    expect(await made.all('attempts')).toEqual([]);
    expect(await made.all(store)).not.toEqual([]);
    expect(await keys(made)).toEqual([ANNA]);
  },
);

test('the key of a session that began at the last moment stays', async () => {
  const device = watchedStorage();
  const made = await left({ ...everything() }, { storage: device.storage });
  device.before = async (stores) => {
    if (!stores.includes('fileBytes') || !stores.includes('attempts')) return;
    device.before = async () => undefined;
    await storeDeviceKey(made.core, ANNA, KEY);
  };
  await encryptAllBut(made.core, null);
  expect(await keys(made)).toEqual([ANNA]);
});

test('a key that could not be deleted at once is deleted in the next round', async () => {
  const device = watchedStorage();
  const made = await left({ ...everything() }, { storage: device.storage });
  device.before = async (stores) => {
    if (!stores.includes('fileBytes') || !stores.includes('attempts')) return;
    device.before = async () => undefined;
    throw new StorageFailure('lost');
  };
  await encryptAllBut(made.core, null);
  expect(await keys(made)).toEqual([]);
});

test('the key stays while anything else of its owner is in plain, also after a failure', async () => {
  const made = await left({ attempts: [row()] });
  const replies: (() => boolean)[] = [
    () => false,
    () => {
      throw new Error('no database');
    },
  ];
  for (const reply of replies) {
    const seen: string[] = [];
    const env = {
      ...made.core.env,
      encryptElse: async ({ owner }: { owner: string }) => {
        seen.push(owner);
        return reply();
      },
    };
    await encryptAllBut({ ...made.core, env }, null);
    expect(new Set(seen)).toEqual(new Set([ANNA]));
    expect(await keys(made)).toEqual([ANNA]);
    expect(await made.all('attempts')).toEqual([]);
  }
  await encryptAllBut(
    { ...made.core, env: { ...made.core.env, encryptElse: async () => true } },
    null,
  );
  expect(await keys(made)).toEqual([]);
});
