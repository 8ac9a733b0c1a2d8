import * as v from 'valibot';
import { encryptBytes, toText, utf8 } from '#app/storage/cipher.ts';
import { isBeginWaiting } from '#app/storage/merge.ts';
import type {
  AttemptRow,
  BrokenRow,
  ContentRow,
  DeviceKeyRow,
  EncryptedRow,
  FileBytesRow,
  FileRow,
  OperationRow,
} from '#app/storage/rows.ts';
import {
  ATTEMPT_STORES,
  StorageFailure,
  type StorageFailureKind,
  type Transaction,
} from '#app/storage/storage.ts';
import { computeRetentionEnd, deleteAttempt, isOver } from './attempts.ts';
import type { Core } from './core.ts';
import { isFollowing } from './plan.ts';

/**
 * Moves plaintext rows of users who are not signed in into `encrypted`. Each move is one transaction that puts the
 * ciphertext and deletes the plaintext if it is unchanged, so a crash at any step leaves every row complete in one of
 * the two. Rows go first and file bytes after them: a sender must never find a row without its bytes.
 */

/** All rows of one attempt except file bytes, encrypted and restored as one unit. */
export interface Bundle {
  readonly attempt: AttemptRow | null;
  readonly content: ContentRow | null;
  readonly operations: readonly OperationRow[];
  readonly files: readonly FileRow[];
}

export const BUNDLE_STORES = ['attempts', 'contents', 'operations', 'files'] as const;

async function readBundle(tx: Transaction, attemptId: string): Promise<Bundle> {
  return {
    attempt: await tx.get('attempts', attemptId),
    content: await tx.get('contents', attemptId),
    operations: await tx.all('operations', 'attempt', attemptId),
    files: await tx.all('files', 'attempt', attemptId),
  };
}

/** Needs a transaction over `BUNDLE_STORES`. */
async function deleteBundle(
  tx: Transaction,
  attemptId: string,
  { operations, files }: Bundle,
): Promise<void> {
  for (const { operationId } of operations) await tx.delete('operations', operationId);
  for (const { fileId } of files) await tx.delete('files', fileId);
  await tx.delete('contents', attemptId);
  await tx.delete('attempts', attemptId);
}

const Shape = v.object({
  attempt: v.nullable(v.looseObject({ attemptId: v.string() })),
  content: v.nullable(v.looseObject({ attemptId: v.string() })),
  operations: v.array(v.looseObject({ operationId: v.string() })),
  files: v.array(v.looseObject({ fileId: v.string() })),
});

/** Parses only the shape: rows are restored unchanged and validated when they are read. */
export function parseBundle(text: string): Bundle {
  return v.parse(Shape, JSON.parse(text)) as unknown as Bundle;
}

/** Attempts to encrypt rows that are being written meanwhile. */
const MAX_ROUNDS = 5;

/** The additional authenticated data that binds a ciphertext to its row. */
export const placeOf = (row: Omit<EncryptedRow, 'iv' | 'cipher'>): string =>
  [row.id, row.owner, row.kind, row.fileId ?? '', row.part].join('/');

/** Whether the key of the starting session is still stored: a new sign-in or another tab may have replaced it. */
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
  const bundle = await core.storage.read(BUNDLE_STORES, (tx) => readBundle(tx, attemptId));
  const { attempt, operations, files } = bundle;
  const text = JSON.stringify(bundle);
  const encrypted = await encryptedRow(
    core,
    deviceKey,
    {
      kind: 'attempt',
      fileIds: files.map(({ fileId }) => fileId),
      waits:
        isBeginWaiting(attempt) ||
        operations.some(({ state }) => state === 'waiting') ||
        files.some(isFollowing),
      outlivedAt: computeRetentionEnd(bundle),
    },
    utf8(text),
  );
  await core.storage.write([...BUNDLE_STORES, 'encrypted', 'deviceKeys'], async (tx) => {
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
  await core.storage.write(['fileBytes', 'encrypted', 'deviceKeys'], async (tx) => {
    if (!(await tx.get('fileBytes', [fileId, part])) || !(await isCurrent(tx, deviceKey))) return;
    await tx.put('encrypted', encrypted);
    await tx.delete('fileBytes', [fileId, part]);
  });
}

/** Encrypts the bytes of files that encrypted attempts name, including those of an interrupted run. */
async function encryptFiles(core: Core, deviceKey: DeviceKeyRow): Promise<void> {
  const files = await core.storage.read(['encrypted'], (tx) =>
    tx.all('encrypted', 'ownerKind', [deviceKey.owner, 'attempt']),
  );
  for (const fileId of files.flatMap(({ fileIds }) => fileIds)) {
    const parts = await core.storage.read(['fileBytes'], (tx) =>
      tx.all('fileBytes', 'file', fileId),
    );
    for (const part of parts) await encryptPart(core, deviceKey, part);
  }
}

/** Whether an unreadable row may belong to this owner; a row without an owner counts as theirs. */
export function mayBelong({ store, original }: BrokenRow, owner: string): boolean {
  if (store === 'encrypted' || store === 'deviceKeys') return false;
  const named = typeof original === 'object' && original !== null && 'owner' in original;
  return !named || typeof original.owner !== 'string' || original.owner === owner;
}

async function brokenOf(tx: Transaction, owner: string): Promise<BrokenRow[]> {
  const all = await tx.all('broken');
  return all.filter((row) => mayBelong(row, owner) && toText(row) !== null);
}

async function encryptBroken(core: Core, deviceKey: DeviceKeyRow): Promise<void> {
  for (const row of await core.storage.read(['broken'], (tx) => brokenOf(tx, deviceKey.owner))) {
    const encrypted = await encryptedRow(
      core,
      deviceKey,
      { kind: 'broken' },
      utf8(toText(row) ?? ''),
    );
    await core.storage.write(['broken', 'encrypted', 'deviceKeys'], async (tx) => {
      if (!(await tx.get('broken', row.id)) || !(await isCurrent(tx, deviceKey))) return;
      await tx.put('encrypted', encrypted);
      await tx.delete('broken', row.id);
    });
  }
}

/** Attempts with plaintext rows of this owner. */
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

/** Deletes the key with the last plaintext row. False: rows are left for the next run. */
async function dropDeviceKey(core: Core, deviceKey: DeviceKeyRow): Promise<boolean> {
  // Unsaved rows in this page's memory reach the device as plaintext later and need the key.
  const isInMemory = await core.storage.hasUnsavedOf(deviceKey.owner);
  return core.storage.write([...PLAIN_STORES, 'deviceKeys'], async (tx) => {
    if (!(await isCurrent(tx, deviceKey))) return true;
    if (isInMemory || (await hasPlain(tx, deviceKey.owner))) return false;
    await tx.delete('deviceKeys', deviceKey.owner);
    return true;
  });
}

/** Deletes cached questions of attempts without any other row: they have no owner and no use. */
async function dropOrphans(core: Core): Promise<void> {
  await core.storage.write(['attempts', 'contents', 'operations'], async (tx) => {
    for (const { attemptId } of await tx.all('contents')) {
      if (await tx.get('attempts', attemptId)) continue;
      const operations = await tx.all('operations', 'attempt', attemptId);
      if (operations.length === 0) await tx.delete('contents', attemptId);
    }
  });
}

/** Without a key nothing can be encrypted: delivered, finished attempts are deleted, unsent ones stay. */
async function dropDelivered(core: Core, owner: string): Promise<void> {
  const attempts = await core.storage.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
  for (const attemptId of attempts) {
    await core.storage.write(ATTEMPT_STORES, async (tx) => {
      const bundle = await readBundle(tx, attemptId);
      if (isOver(bundle)) await deleteAttempt(tx, attemptId);
    });
  }
}

/** A failure must not block a sign-in or sign-out: it is logged and the work is repeated next time. */
async function runLogged(core: Core, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    const kind: StorageFailureKind | null = error instanceof StorageFailure ? error.kind : null;
    core.log({ event: 'encryptFailed', detail: kind ?? String(error) });
    if (kind === 'quota') await core.env.freeSpace?.().catch(() => undefined);
  }
}

async function encryptOwner(core: Core, owner: string): Promise<void> {
  const deviceKey = await core.storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner));
  await runLogged(core, () => dropOrphans(core));
  if (!deviceKey) return runLogged(core, () => dropDelivered(core, owner));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const plain = await core.storage.read(PLAIN_STORES, (tx) => attemptsInPlain(tx, owner));
    for (const attemptId of plain)
      await runLogged(core, () => encryptAttempt(core, deviceKey, attemptId));
    await runLogged(core, () => encryptFiles(core, deviceKey));
    await runLogged(core, () => encryptBroken(core, deviceKey));
    let isDone = false;
    await runLogged(core, async () => {
      const hasElse = (await core.env.encryptElse?.(deviceKey)) === false;
      isDone = !hasElse && (await dropDeviceKey(core, deviceKey));
    });
    if (isDone) return undefined;
  }
  return undefined;
}

/** Encrypts all plaintext rows, except those of one owner if given, and deletes the keys. */
export async function encryptAllBut(core: Core, except: string | null): Promise<void> {
  const stores = ['attempts', 'files', 'operations', 'deviceKeys'] as const;
  const rows = await core.storage.read(stores, async (tx) => [
    ...(await tx.all('attempts')),
    ...(await tx.all('files')),
    ...(await tx.all('operations')),
    ...(await tx.all('deviceKeys')),
  ]);
  // Another tab may have signed in before this one is notified.
  const signedIn = (await core.session())?.owner ?? null;
  for (const owner of new Set(rows.map((row) => row.owner))) {
    if (owner !== except && owner !== signedIn) await encryptOwner(core, owner);
  }
}
