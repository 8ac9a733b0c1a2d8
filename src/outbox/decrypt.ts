import { decryptBytes, fromText, importDeviceKey } from '#app/storage/cipher.ts';
import type { BrokenRow, DeviceKeyRow, EncryptedRow } from '#app/storage/rows.ts';
import { StorageFailure, type Transaction } from '#app/storage/storage.ts';
import { hasFinish, mergeAttempts } from '#app/storage/merge.ts';
import type { Core } from './core.ts';
import {
  BUNDLE_STORES,
  type Bundle,
  encryptAllBut,
  isCurrent,
  parseBundle,
  placeOf,
} from './encrypt.ts';
import { newerAnswer, SENT_AGAIN } from './plan.ts';
import { isBehind, resendBegin } from './restored.ts';
import { transition } from './transition.ts';
import { eraseTyped, storeTyped } from './typed-texts.ts';

/** Restores encrypted rows as plaintext once their owner is signed in, and encrypts those of everybody else. */

export const decryptRowBytes = (deviceKey: DeviceKeyRow, row: EncryptedRow) =>
  decryptBytes(deviceKey.key, placeOf(row), row);

/** Restores the content of `row`, unless another tab has already done it. */
function restoreRow(
  core: Core,
  deviceKey: DeviceKeyRow,
  row: EncryptedRow,
  put: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const stores = [
    ...BUNDLE_STORES,
    'fileBytes',
    'broken',
    'device',
    'encrypted',
    'deviceKeys',
  ] as const;
  return core.storage.write(stores, async (tx) => {
    if (!(await tx.get('encrypted', row.id)) || !(await isCurrent(tx, deviceKey))) return;
    await put(tx);
    await tx.delete('encrypted', row.id);
  });
}

/**
 * Plaintext rows written meanwhile are newer and win. What a restored server may lack is sent again, as
 * `noteServerEpoch` does for plaintext rows.
 */
async function putBundle(tx: Transaction, bundle: Bundle): Promise<void> {
  const { content, operations, files } = bundle;
  const server = await tx.get('device', 'server');
  const epoch = server?.kind === 'server' ? server.epoch : 0;
  const mustResend = operations.some((one) => isBehind(one, epoch));
  if (bundle.attempt) {
    const attempt = resendBegin(bundle.attempt, operations, epoch);
    const stored = await tx.get('attempts', attempt.attemptId);
    const joined = stored && mergeAttempts(stored, attempt, hasFinish(attempt, operations));
    await tx.put('attempts', joined ?? attempt);
  }
  if (content) {
    const stored = await tx.get('contents', content.attemptId);
    const isEmpty = stored === null || stored.questions.length === 0;
    if (isEmpty) await tx.put('contents', content);
  }
  const attemptId = operations[0]?.attemptId ?? '';
  const stored = await tx.all('operations', 'attempt', attemptId);
  const meanwhile = stored.filter(({ poisoned }) => !poisoned);
  for (const one of operations) {
    if (await tx.get('operations', one.operationId)) continue;
    const resent = isBehind(one, epoch) ? transition(one, { kind: 'resend' }) : null;
    // A page that did not know of this answer may have given a newer one the same sequence, or a lower one.
    const newer = newerAnswer(one, meanwhile);
    const folded = newer ? transition(one, { kind: 'fold', into: newer.operationId }) : null;
    await tx.put('operations', folded ?? resent ?? one);
  }
  for (const file of files) {
    if (await tx.get('files', file.fileId)) continue;
    const isSentAgain = mustResend && file.state === 'complete';
    await tx.put('files', isSentAgain ? { ...file, ...SENT_AGAIN } : file);
  }
}

async function decryptFile(core: Core, deviceKey: DeviceKeyRow, fileId: string): Promise<boolean> {
  let isWhole = true;
  const rows = await core.storage.read(['encrypted'], (tx) => tx.all('encrypted', 'file', fileId));
  for (const row of rows) {
    const plain = await decryptRowBytes(deviceKey, row);
    if (plain === null) isWhole = false;
    else {
      const bytes = { fileId, part: row.part, bytes: plain.buffer };
      await restoreRow(core, deviceKey, row, (tx) => tx.put('fileBytes', bytes));
    }
  }
  return isWhole;
}

/** False: it cannot be decrypted and stays unchanged. */
async function decryptRow(
  core: Core,
  deviceKey: DeviceKeyRow,
  row: EncryptedRow,
): Promise<boolean> {
  const plain = await decryptRowBytes(deviceKey, row);
  if (plain === null) return false;
  const text = new TextDecoder().decode(plain);
  if (row.kind === 'broken') {
    await restoreRow(core, deviceKey, row, (tx) => tx.put('broken', fromText(text) as BrokenRow));
    return true;
  }
  const bundle = parseBundle(text);
  let isWhole = true;
  // Bytes first: the sender must never find a file row without its bytes.
  for (const fileId of row.fileIds) {
    if (!(await decryptFile(core, deviceKey, fileId))) isWhole = false;
  }
  await restoreRow(core, deviceKey, row, (tx) => putBundle(tx, bundle));
  return isWhole;
}

/**
 * Stores the key for the duration of the session. Null: there is none, or no space for it, and nothing
 * is encrypted or decrypted.
 */
export async function storeDeviceKey(
  core: Core,
  owner: string,
  base64url: string | null,
): Promise<DeviceKeyRow | null> {
  const key = base64url === null ? null : await importDeviceKey(base64url);
  if (key === null) return core.storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner));
  const row: DeviceKeyRow = { owner, key, signIn: core.env.newId() };
  core.runtime.unstoredKey = null;
  const write = () => core.storage.write(['deviceKeys'], (tx) => tx.put('deviceKeys', row));
  try {
    await write().catch(async (error: unknown) => {
      if (!(error instanceof StorageFailure) || error.kind !== 'quota') throw error;
      await core.env.freeSpace?.();
      await write();
    });
    return row;
  } catch (error) {
    core.log({ event: 'deviceKeyNotStored', detail: String(error) });
    core.runtime.unstoredKey = row;
    return null;
  }
}

/** Restores the owner's encrypted rows. Rows that cannot be decrypted, or have no key, are counted and stay. */
export async function decryptOwner(
  core: Core,
  owner: string,
  deviceKey: DeviceKeyRow | null,
): Promise<void> {
  const rows = await core.storage.read(['encrypted'], async (tx) => [
    ...(await tx.all('encrypted', 'ownerKind', [owner, 'attempt'])),
    ...(await tx.all('encrypted', 'ownerKind', [owner, 'broken'])),
  ]);
  let unreadable = 0;
  for (const row of rows) {
    let isOpen = false;
    try {
      isOpen = deviceKey !== null && (await decryptRow(core, deviceKey, row));
    } catch (error) {
      const detail = error instanceof StorageFailure ? error.kind : String(error);
      core.log({ event: 'decryptFailed', detail });
      if (detail === 'quota') await core.env.freeSpace?.().catch(() => undefined);
    }
    if (!isOpen) unreadable += 1;
  }
  core.runtime.unreadable = unreadable;
}

/**
 * Stores the key that did not fit at the sign-in, once there is space, and restores the rows that waited for it. Called
 * before anything is sent: with a key, delivered answers survive the sign-out encrypted, and are sent again after a
 * restore of the server; without a key they are deleted at the sign-out.
 */
export async function retryDeviceKey(core: Core, owner: string): Promise<void> {
  const row = core.runtime.unstoredKey;
  if (row === null) return;
  if (row.owner === owner) {
    let isStored: boolean;
    try {
      isStored = await core.storage.write(['deviceKeys', 'session'], async (tx) => {
        // Another tab may have signed the owner out since: a key must not come back after that.
        if ((await tx.get('session', 'current'))?.owner !== owner) return false;
        await tx.put('deviceKeys', row);
        return true;
      });
    } catch (error) {
      // Still no space: the next pass tries again.
      if (error instanceof StorageFailure) return;
      throw error;
    }
    if (isStored) {
      await decryptOwner(core, owner, row);
      core.emit({ kind: 'changed', attemptId: null });
    }
  }
  // A sign-in meanwhile may have left another key.
  if (core.runtime.unstoredKey === row) core.runtime.unstoredKey = null;
}

/** False: there is no key, and the owner's rows stay unchanged. */
export async function openRows(
  core: Core,
  owner: string,
  deviceKey: string | null,
): Promise<boolean> {
  await core.ready();
  const stored = await storeDeviceKey(core, owner, deviceKey);
  // Rows moved from memory and text typed meanwhile are encrypted too.
  await core.storage.store();
  if (await storeTyped(core)) eraseTyped(core, owner);
  core.storage.forgetRecords();
  await encryptAllBut(core, owner);
  await decryptOwner(core, owner, stored);
  core.emit({ kind: 'changed', attemptId: null });
  return stored !== null;
}

export async function encryptRows(core: Core): Promise<void> {
  await core.ready();
  await core.storage.store();
  await storeTyped(core);
  eraseTyped(core, null);
  core.runtime.unstoredKey = null;
  await encryptAllBut(core, null);
  core.runtime.unreadable = 0;
  core.storage.forgetAttempts();
  core.emit({ kind: 'changed', attemptId: null });
}
