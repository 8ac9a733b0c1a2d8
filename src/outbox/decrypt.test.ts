import { expect, test } from 'vitest';
import type { AttemptRow, OperationRow } from '#app/storage/rows.ts';
import { StorageFailure } from '#app/storage/storage.ts';
import { decryptOwner, encryptRows, retryDeviceKey, storeDeviceKey } from './decrypt.ts';
import { staysEncrypted } from './decrypt-again.ts';
import { encryptAllBut } from './encrypt.ts';
import { ANNA, FakeServer, START } from './fake-server.ts';
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
const OTHER_KEY = 'C'.repeat(42) + 'A';
const { questions } = new FakeServer({ now: START }).start(STREAM);
const answer = (changes: Partial<OperationRow> = {}) => operation({ owner: ANNA, ...changes });
const row = (changes: Partial<AttemptRow> = {}): AttemptRow =>
  attempt({ owner: ANNA, state: 'running', finishedAt: null, streams: [holding()], ...changes });
const content = { attemptId: ATTEMPT, questions, saved: null };
const SIGNED_IN = {
  key: 'current',
  owner: ANNA,
  user: { userId: ANNA, userName: '', email: 'a@b.ru', role: 0, isAdmin: false },
  token: 'token',
  expiresAt: '2026-05-23T07:00:00.000Z',
} as const;
const settled = { state: 'acknowledged', serverEpoch: 2 } as const;

/** A device with Anna's encrypted rows. */
async function away(
  rows: Parameters<typeof createTestCore>[0],
  env: Parameters<typeof createTestCore>[1] = {},
) {
  const made = await createTestCore(rows, env);
  await storeDeviceKey(made.core, ANNA, KEY);
  await encryptAllBut(made.core, null);
  return made;
}
async function back({ core }: TestCore, key: string = KEY): Promise<void> {
  await decryptOwner(core, ANNA, await storeDeviceKey(core, ANNA, key));
}

test('row 35: what a restored server may lack is resent with its whole files, and nothing else', async () => {
  const behind = answer(settled);
  const older = answer({ ...settled, serverEpoch: null });
  const others = [
    answer({ ...settled, serverEpoch: 3 }),
    answer({ state: 'setAside', serverEpoch: 1 }),
    answer({ state: 'folded', serverEpoch: 1 }),
  ];
  const whole = file({ owner: ANNA, state: 'complete' });
  const part = file({ owner: ANNA, state: 'uploading' });
  const made = await away({
    attempts: [row()],
    operations: [behind, older, ...others],
    files: [whole, part],
  });
  await made.put({ device: [{ key: 'server', kind: 'server', epoch: 3 }] });
  await back(made);
  for (const one of [behind, older])
    expect(await made.operation(one)).toEqual({ ...one, state: 'waiting', sent: true });
  for (const one of others) expect(await made.operation(one)).toEqual(one);
  expect(await made.file(whole)).toEqual({ ...whole, state: 'unchecked', wanted: true });
  expect(await made.file(part)).toEqual(part);
});

test.each([
  ['of the same epoch', [{ key: 'server', kind: 'server', epoch: 2 } as const]],
  ['of an unknown epoch', []],
])('for a server %s nothing is resent', async (_, device) => {
  const one = answer(settled);
  const first = answer({ ...settled, serverEpoch: null });
  const whole = file({ owner: ANNA, state: 'complete' });
  const operations = device.length === 0 ? [one, first] : [one];
  const made = await away({ attempts: [row()], operations, files: [whole] });
  await made.put({ device });
  await back(made);
  expect(await made.all('operations')).toEqual(operations);
  expect(await made.file(whole)).toEqual(whole);
});

test('rows written meanwhile are newer and win; the attempt is merged', async () => {
  const one = answer();
  const sheet = file({ owner: ANNA });
  const made = await away({
    attempts: [row({ streams: [holding({ nextSequence: 20 })] })],
    contents: [content],
    operations: [one],
    files: [sheet],
  });
  const newer = {
    operations: [{ ...one, failures: 4 }],
    files: [{ ...sheet, received: 2 }],
    contents: [{ ...content, questions: questions.slice(1) }],
  };
  await made.put({ ...newer, attempts: [row({ title: 'новее' })] });
  await back(made);
  expect(await made.all('operations')).toEqual(newer.operations);
  expect(await made.all('files')).toEqual(newer.files);
  expect(await made.all('contents')).toEqual(newer.contents);
  expect(await made.attempt()).toEqual(
    row({ title: 'новее', streams: [holding({ nextSequence: 20 })] }),
  );
});

test.each([
  ['gives way to it', {}, {}, 'folded'],
  ['waits if it was sent', { sent: true }, {}, 'waiting'],
  ['waits beside a poisoned one', {}, { poisoned: true }, 'waiting'],
  ['waits beside an older one', {}, { writtenWall: 99 }, 'waiting'],
] as const)(
  'an answer of which the page of a newer one did not know: it %s',
  async (_, changes, other, state) => {
    const one = answer({ sequence: 2, ...changes });
    const made = await away({ attempts: [row()], operations: [one] });
    const newer = answer({ sequence: 1, writtenWall: 101, ...other });
    await made.put({ attempts: [row()], operations: [newer] });
    await back(made);
    const foldedInto = state === 'folded' ? newer.operationId : null;
    expect(await made.operation(one)).toEqual({ ...one, state, foldedInto });
    expect(await made.operation(newer)).toEqual(newer);
  },
);

test('row 17: a decrypted finish closes the attempt that was started meanwhile', async () => {
  const finish = answer({ kind: 'finish', answer: null, questionId: null });
  const made = await away({ attempts: [row({ state: 'finishing' })], operations: [finish] });
  await made.put({ attempts: [row()] });
  await back(made);
  expect((await made.attempt())?.state).toBe('finishing');
});

test('questions that a replayed start did not return are restored', async () => {
  const made = await away({ attempts: [row()], contents: [content] });
  await made.put({ contents: [{ ...content, questions: [] }] });
  await back(made);
  expect(await made.all('contents')).toEqual([content]);
});

test('row 10: answers are restored without their attempt’s row', async () => {
  const one = answer();
  const made = await away({ operations: [one] });
  await back(made);
  expect(await made.all('operations')).toEqual([one]);
  expect(await made.all('attempts')).toEqual([]);
  expect(await made.all('contents')).toEqual([]);
});

test('a wrong key decrypts nothing, and the remaining rows are counted', async () => {
  const broken = { id: 'x', store: 'operations', original: {}, issue: 'x' };
  const made = await away({ attempts: [row(), row({ attemptId: 'b' })], broken: [broken] });
  const before = await made.all('encrypted');
  await back(made, OTHER_KEY);
  expect(await made.all('encrypted')).toStrictEqual(before);
  expect(made.core.runtime.unreadable).toBe(3);
  await back(made);
  expect(made.core.runtime.unreadable).toBe(0);
  expect(await made.all('encrypted')).toEqual([]);
  expect(await made.all('broken')).toEqual([broken]);
});

test('without a key everything stays encrypted and is counted', async () => {
  const made = await away({ attempts: [row()] });
  await decryptOwner(made.core, ANNA, null);
  expect(made.core.runtime.unreadable).toBe(1);
  expect(await made.all('attempts')).toEqual([]);
});

test('one damaged part of a file blocks nothing else, and is logged', async () => {
  const sheet = file({ owner: ANNA });
  const bytes = (part: number) => ({
    fileId: sheet.fileId,
    part,
    bytes: Uint8Array.of(part).buffer,
  });
  const made = await away({
    attempts: [row()],
    files: [sheet],
    fileBytes: [bytes(0), bytes(1)],
  });
  const damaged = (await made.all('encrypted')).find(
    (one) => one.kind === 'bytes' && one.part === 0,
  );
  if (!damaged) throw new Error('no bytes');
  await made.put({ encrypted: [{ ...damaged, cipher: new ArrayBuffer(30) }] });
  await back(made);
  expect(await made.all('fileBytes')).toStrictEqual([bytes(1)]);
  expect(await made.all('files')).toEqual([sheet]);
  expect(made.core.runtime.unreadable).toBe(1);
  expect((await made.all('encrypted')).map(({ kind }) => kind)).toEqual(['bytes']);
});

test('rows that another tab has restored are not restored again', async () => {
  const device = watchedStorage();
  const made = await away({ attempts: [row()] }, { storage: device.storage });
  device.before = async (stores) => {
    if (!stores.includes('encrypted')) return;
    device.before = async () => undefined;
    const rows = await made.all('encrypted');
    await device.storage.write(['encrypted'], async (tx) => {
      for (const one of rows) await tx.delete('encrypted', one.id);
    });
  };
  await back(made);
  expect(await made.all('attempts')).toEqual([]);
});

test('nothing is restored under a session that has ended', async () => {
  const made = await away({ attempts: [row()] });
  const key = await storeDeviceKey(made.core, ANNA, KEY);
  await made.core.storage.write(['deviceKeys'], (tx) => tx.delete('deviceKeys', ANNA));
  await decryptOwner(made.core, ANNA, key);
  expect(await made.all('attempts')).toEqual([]);
  expect(await made.all('encrypted')).toHaveLength(1);
});

test.each([
  ['quota', new StorageFailure('quota'), 'quota', 1],
  ['lost', new StorageFailure('lost'), 'lost', 0],
  ['an unexpected error', new Error('a mistake'), 'Error: a mistake', 0],
])(
  'a failed row (%s) is logged and counted, and restored the next time',
  async (_, failure, detail, freed) => {
    const device = watchedStorage();
    let times = 0;
    const freeSpace = async () => {
      times += 1;
      throw new Error('nothing to free');
    };
    const made = await away({ attempts: [row()] }, { storage: device.storage, freeSpace });
    device.before = async (stores) => {
      if (stores.includes('encrypted')) throw failure;
    };
    await back(made);
    expect(made.logged).toEqual([{ event: 'decryptFailed', detail }]);
    expect([made.core.runtime.unreadable, times]).toEqual([1, freed]);
    device.before = async () => undefined;
    await back(made);
    expect(made.core.runtime.unreadable).toBe(0);
    expect(await made.attempt()).toEqual(row());
  },
);

test('a full device with nothing to free does not fail the sign-in', async () => {
  const device = watchedStorage();
  const made = await away({ attempts: [row()] }, { storage: device.storage });
  device.before = async (stores) => {
    if (stores.includes('encrypted')) throw new StorageFailure('quota');
  };
  await back(made);
  expect(made.core.runtime.unreadable).toBe(1);
});

test('each session has its own key; without one the stored key is used', async () => {
  const made = await createTestCore();
  expect(await storeDeviceKey(made.core, ANNA, null)).toBeNull();
  const first = await storeDeviceKey(made.core, ANNA, KEY);
  expect((await storeDeviceKey(made.core, ANNA, null))?.signIn).toBe(first?.signIn);
  const second = await storeDeviceKey(made.core, ANNA, KEY);
  expect(second?.signIn).not.toBe(first?.signIn);
  expect((await made.all('deviceKeys')).map(({ signIn }) => signIn)).toEqual([second?.signIn]);
});

test('space for a key is freed once; if that fails, nothing is encrypted, and it is logged', async () => {
  const device = watchedStorage();
  let freed = 0;
  const freeSpace = async () => {
    freed += 1;
    if (freed === 1) device.before = async () => undefined;
  };
  const made = await createTestCore({}, { storage: device.storage, freeSpace });
  const fail = (failure: Error) => {
    device.before = () => Promise.reject(failure);
    return storeDeviceKey(made.core, ANNA, KEY);
  };
  expect(await fail(new StorageFailure('quota'))).toMatchObject({ owner: ANNA });
  expect(await fail(new StorageFailure('quota'))).toBeNull();
  expect(freed).toBe(2);
  for (const failure of [new StorageFailure('lost'), new Error('a mistake')])
    expect(await fail(failure)).toBeNull();
  expect(freed, 'only room can be made').toBe(2);
  expect(made.logged.map(({ event }) => event)).toEqual(Array(3).fill('deviceKeyNotStored'));
});

test('a full device with nothing to free stores no key', async () => {
  const device = watchedStorage();
  const made = await createTestCore({}, { storage: device.storage });
  device.before = () => Promise.reject(new StorageFailure('quota'));
  expect(await storeDeviceKey(made.core, ANNA, KEY)).toBeNull();
});

test('a key that had no space is stored with the next pass that has some, and opens what waited for it', async () => {
  const device = watchedStorage();
  const made = await away(
    { attempts: [row()], operations: [answer()] },
    { storage: device.storage },
  );
  device.before = (stores) =>
    stores.includes('deviceKeys') ? Promise.reject(new StorageFailure('quota')) : Promise.resolve();
  await back(made);
  await made.put({ session: [SIGNED_IN] });
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toEqual([]);
  expect(await made.all('operations')).toEqual([]);
  device.before = () => Promise.resolve();
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toMatchObject([{ owner: ANNA }]);
  expect(await made.all('operations')).toMatchObject([{ state: 'waiting' }]);
  expect(made.core.runtime.unreadable).toBe(0);
  // Stored once: a later pass must not bring back a key that a sign-out deleted.
  await made.core.storage.remove('session', 'current');
  await encryptAllBut(made.core, null);
  await made.put({ session: [SIGNED_IN] });
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toEqual([]);
});

test.each([
  ['this attempt, which waits', ATTEMPT, 'waiting', true, true, true],
  ['this attempt, which was sent', ATTEMPT, 'acknowledged', true, true, true],
  ['another attempt, which waits', 'another', 'waiting', true, true, false],
  ['another attempt, whose key has no space either', 'another', 'waiting', false, true, false],
  ['this attempt, whose key has no space either', ATTEMPT, 'waiting', false, true, true],
  ['an attempt, which waits, without a key', 'another', 'waiting', false, false, true],
  ['an attempt, which was sent, without a key', 'another', 'acknowledged', false, false, false],
] as const)(
  'where there is no space for %s, only what may be of the attempt stays encrypted',
  async (_, attemptId, state, hasSpaceForKey, hasKey, stays) => {
    const device = watchedStorage();
    const made = await away(
      { attempts: [row({ attemptId })], operations: [answer({ attemptId, state })] },
      { storage: device.storage },
    );
    device.before = async (stores) => {
      const isKey = stores.includes('deviceKeys') && !stores.includes('encrypted');
      if (isKey ? !hasSpaceForKey : stores.includes('encrypted')) throw new StorageFailure('quota');
    };
    if (hasKey) await back(made);
    expect(await staysEncrypted(made.core, ANNA, ATTEMPT)).toBe(stays);
    // It is restored with the first space.
    device.before = async () => undefined;
    await made.put({ session: [SIGNED_IN] });
    if (hasKey) expect(await staysEncrypted(made.core, ANNA, ATTEMPT)).toBe(false);
    expect(await made.all('encrypted')).toHaveLength(hasKey ? 0 : 1);
  },
);

test('what a key does not open is no reason to wait', async () => {
  const made = await away({ attempts: [row()], operations: [answer()] });
  await storeDeviceKey(made.core, ANNA, OTHER_KEY);
  expect(await staysEncrypted(made.core, ANNA, ATTEMPT)).toBe(false);
  expect(await made.all('encrypted')).toHaveLength(1);
});

test('a key that had no space is never stored for another user, nor after the sign-out', async () => {
  const device = watchedStorage();
  const made = await createTestCore({}, { storage: device.storage });
  const full = async () => {
    device.before = () => Promise.reject(new StorageFailure('quota'));
    await storeDeviceKey(made.core, ANNA, KEY);
    device.before = () => Promise.resolve();
  };
  await made.put({ session: [SIGNED_IN] });
  await full();
  await retryDeviceKey(made.core, 'somebody');
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toEqual([]);
  await full();
  await encryptRows(made.core);
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toEqual([]);
  // Another tab has signed her out: this one knows only that the mirror is empty.
  await made.core.storage.remove('session', 'current');
  await full();
  await retryDeviceKey(made.core, ANNA);
  expect(await made.all('deviceKeys')).toEqual([]);
  await full();
  device.before = () => Promise.reject(new Error('a mistake'));
  await expect(retryDeviceKey(made.core, ANNA)).rejects.toThrow('a mistake');
});
