import type { BrokenRow, FileBytesRow, DeviceKeyRow, EncryptedRow } from '#app/storage/rows.ts';
import { StorageFailure, type StorageFailureKind, type Transaction } from '#app/storage/storage.ts';
import { BUNDLE_STORES, deleteBundle, readBundle, toText } from './bundle.ts';
import { encryptBytes } from './cipher.ts';
import type { Core } from './core.ts';
import { ATTEMPT_STORES, deleteAttempt, isOver, outlivedAt } from './retention.ts';

/**
 * Rows of somebody who is not signed in go from plain into `encrypted`. Each goes in one transaction that puts
 * the cipher and deletes the plain, and only if the plain is still what was encrypted: a kill at any step
 * leaves each whole in one of the two. Rows first, bytes of files after them: nothing that a sender could
 * find lacks its bytes.
 */

/** Somebody writes meanwhile: then once more. */
const ROUNDS = 5;

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** What a cipher is bound to. */
export const placeOf = (row: Omit<EncryptedRow, 'iv' | 'cipher'>): string =>
  [row.id, row.owner, row.kind, row.fileId ?? '', row.part].join('/');

/** Under the same sign-in as at the beginning: whoever came back, or finished this, has another or none. */
export async function isCurrent(tx: Transaction, deviceKey: DeviceKeyRow): Promise<boolean> {
  return (await tx.get('deviceKeys', deviceKey.owner))?.signIn === deviceKey.signIn;
}

type Description = Pick<EncryptedRow, 'kind'> & Partial<EncryptedRow>;

async function encryptedRow(
  core: Core,
  { owner, key }: DeviceKeyRow,
  description: Description,
  plain: Uint8Array<ArrayBuffer>,
): Promise<EncryptedRow> {
  const row = {
    id: core.env.newId(),
    owner,
    fileIds: [],
    fileId: null,
    part: 0,
    waits: false,
    outlivedAt: null,
    ...description,
  };
  return { ...row, ...(await encryptBytes(key, placeOf(row), plain)) };
}

async function encryptAttempt(
  core: Core,
  deviceKey: DeviceKeyRow,
  attemptId: string,
): Promise<void> {
  const bundle = await core.main.read(BUNDLE_STORES, (tx) => readBundle(tx, attemptId));
  const { attempt, operations, files } = bundle;
  const text = JSON.stringify(bundle);
  const encrypted = await encryptedRow(
    core,
    deviceKey,
    {
      kind: 'attempt',
      fileIds: files.map(({ fileId }) => fileId),
      waits: operations.some(({ state }) => state === 'waiting'),
      outlivedAt: outlivedAt(attempt, operations),
    },
    utf8(text),
  );
  await core.main.write([...BUNDLE_STORES, 'encrypted', 'deviceKeys'], async (tx) => {
    const now = await readBundle(tx, attemptId);
    if (JSON.stringify(now) !== text || !(await isCurrent(tx, deviceKey))) return;
    await tx.put('encrypted', encrypted);
    await deleteBundle(tx, attemptId, now);
  });
}

async function encryptPart(
  core: Core,
  deviceKey: DeviceKeyRow,
  { fileId, part, bytes }: FileBytesRow,
) {
  const encrypted = await encryptedRow(
    core,
    deviceKey,
    { kind: 'bytes', fileId, part },
    new Uint8Array(bytes),
  );
  await core.main.write(['fileBytes', 'encrypted', 'deviceKeys'], async (tx) => {
    if (!(await tx.get('fileBytes', [fileId, part])) || !(await isCurrent(tx, deviceKey))) return;
    await tx.put('encrypted', encrypted);
    await tx.delete('fileBytes', [fileId, part]);
  });
}

/** Bytes of the files that encrypted attempts name; of an earlier, interrupted time too. */
async function encryptFiles(core: Core, deviceKey: DeviceKeyRow): Promise<void> {
  const files = await core.main.read(['encrypted'], (tx) =>
    tx.all('encrypted', 'ownerKind', [deviceKey.owner, 'attempt']),
  );
  for (const fileId of files.flatMap(({ fileIds }) => fileIds)) {
    const parts = await core.main.read(['fileBytes'], (tx) => tx.all('fileBytes', 'file', fileId));
    for (const part of parts) await encryptPart(core, deviceKey, part);
  }
}

/** Whether a row that could not be read may be this person's: one that names nobody goes with him. */
function mayBelong({ store, original }: BrokenRow, owner: string): boolean {
  if (store === 'encrypted' || store === 'deviceKeys') return false;
  const named = typeof original === 'object' && original !== null && 'owner' in original;
  return !named || typeof original.owner !== 'string' || original.owner === owner;
}

async function brokenOf(tx: Transaction, owner: string): Promise<BrokenRow[]> {
  const all = await tx.all('broken');
  return all.filter((row) => mayBelong(row, owner) && toText(row) !== null);
}

async function encryptBroken(core: Core, deviceKey: DeviceKeyRow): Promise<void> {
  for (const row of await core.main.read(['broken'], (tx) => brokenOf(tx, deviceKey.owner))) {
    const encrypted = await encryptedRow(
      core,
      deviceKey,
      { kind: 'broken' },
      utf8(toText(row) ?? ''),
    );
    await core.main.write(['broken', 'encrypted', 'deviceKeys'], async (tx) => {
      if (!(await tx.get('broken', row.id)) || !(await isCurrent(tx, deviceKey))) return;
      await tx.put('encrypted', encrypted);
      await tx.delete('broken', row.id);
    });
  }
}

/** Attempts of which something of this person lies here in plain. */
async function attemptsInPlain(tx: Transaction, owner: string): Promise<string[]> {
  const rows = [
    ...(await tx.all('attempts', 'owner', owner)),
    ...(await tx.all('files', 'owner', owner)),
    ...(await tx.all('operations')).filter((row) => row.owner === owner),
  ];
  return [...new Set(rows.map(({ attemptId }) => attemptId))];
}

const PLAIN_STORES = [
  'attempts',
  'files',
  'operations',
  'broken',
  'fileBytes',
  'encrypted',
] as const;

async function hasPlain(tx: Transaction, owner: string): Promise<boolean> {
  if ((await attemptsInPlain(tx, owner)).length > 0) return true;
  if ((await brokenOf(tx, owner)).length > 0) return true;
  for (const { fileIds } of await tx.all('encrypted', 'ownerKind', [owner, 'attempt'])) {
    for (const fileId of fileIds) {
      if ((await tx.all('fileBytes', 'file', fileId)).length > 0) return true;
    }
  }
  return false;
}

/** The key goes with the last row in plain. False: something is left, and is taken along next time. */
async function dropDeviceKey(core: Core, deviceKey: DeviceKeyRow): Promise<boolean> {
  // What found no room lies in this page's memory, and comes to the device in plain.
  const inMemory = await core.overflow.read(['attempts'], (tx) =>
    tx.all('attempts', 'owner', deviceKey.owner),
  );
  return core.main.write([...PLAIN_STORES, 'deviceKeys'], async (tx) => {
    if (!(await isCurrent(tx, deviceKey))) return true;
    if (inMemory.length > 0 || (await hasPlain(tx, deviceKey.owner))) return false;
    await tx.delete('deviceKeys', deviceKey.owner);
    return true;
  });
}

/** Questions of an attempt that nothing else here knows: of no use, and of nobody. */
async function dropOrphans(core: Core): Promise<void> {
  await core.main.write(['attempts', 'contents', 'operations'], async (tx) => {
    for (const { attemptId } of await tx.all('contents')) {
      if (await tx.get('attempts', attemptId)) continue;
      const operations = await tx.all('operations', 'attempt', attemptId);
      if (operations.length === 0) await tx.delete('contents', attemptId);
    }
  });
}

/** Without a key nothing can be encrypted: what is delivered and over goes, what waits stays as it is. */
async function dropDelivered(core: Core, owner: string): Promise<void> {
  const attempts = await core.main.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
  for (const attemptId of attempts) {
    await core.main.write(ATTEMPT_STORES, async (tx) => {
      const { attempt, operations } = await readBundle(tx, attemptId);
      if (isOver(attempt, operations)) await deleteAttempt(tx, attemptId);
    });
  }
}

/** Nothing here may stop whoever signs in or out; what fails is logged, and done the next time. */
async function attempting(core: Core, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    const kind: StorageFailureKind | null = error instanceof StorageFailure ? error.kind : null;
    core.log({ event: 'encryptFailed', detail: kind ?? String(error) });
    if (kind === 'quota') await core.env.freeSpace?.().catch(() => undefined);
  }
}

async function encryptOwner(core: Core, owner: string): Promise<void> {
  const deviceKey = await core.main.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner));
  await attempting(core, () => dropOrphans(core));
  if (!deviceKey) return attempting(core, () => dropDelivered(core, owner));
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = await core.main.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
    for (const attemptId of plain)
      await attempting(core, () => encryptAttempt(core, deviceKey, attemptId));
    await attempting(core, () => encryptFiles(core, deviceKey));
    await attempting(core, () => encryptBroken(core, deviceKey));
    let isDone = false;
    await attempting(core, async () => {
      isDone = await dropDeviceKey(core, deviceKey);
    });
    if (isDone) return undefined;
  }
  return undefined;
}

/** Encrypts what lies here in plain of everybody, or of everybody but one, and drops their keys. */
export async function encryptAllBut(core: Core, except: string | null): Promise<void> {
  const stores = ['attempts', 'files', 'operations', 'deviceKeys'] as const;
  const rows = await core.main.read(stores, async (tx) => [
    ...(await tx.all('attempts')),
    ...(await tx.all('files')),
    ...(await tx.all('operations')),
    ...(await tx.all('deviceKeys')),
  ]);
  // Somebody may have signed in, in another tab, before this one knows.
  const signedIn = (await core.session())?.owner ?? null;
  for (const owner of new Set(rows.map((row) => row.owner))) {
    if (owner !== except && owner !== signedIn) await encryptOwner(core, owner);
  }
}
