import type { BrokenRow, DeviceKeyRow, OperationRow, EncryptedRow } from '#app/storage/rows.ts';
import { StorageFailure, type Transaction } from '#app/storage/storage.ts';
import { BUNDLE_STORES, fromText, parseBundle, type Bundle } from './bundle.ts';
import { decryptBytes, importDeviceKey } from './cipher.ts';
import type { Core } from './core.ts';
import { hasFinish, mergeAttempts } from './merge.ts';
import { isCurrent, placeOf } from './encrypt.ts';

/** What was encrypted comes back in plain, once its owner is signed in. */

const open = (deviceKey: DeviceKeyRow, row: EncryptedRow) =>
  decryptBytes(deviceKey.key, placeOf(row), row);

/** Puts back what `row` holds, once, if nobody else has. */
function putBack(
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
  return core.main.write(stores, async (tx) => {
    if (!(await tx.get('encrypted', row.id)) || !(await isCurrent(tx, deviceKey))) return;
    await put(tx);
    await tx.delete('encrypted', row.id);
  });
}

/** An operation that a restored server may lack goes again, as `noteServerEpoch` has it for rows in plain. */
const isBehind = (one: OperationRow, epoch: number): boolean =>
  one.state === 'acknowledged' && (one.serverEpoch ?? 0) < epoch;

/** Rows that lie here in plain meanwhile are newer, and stand. */
async function putBundle(tx: Transaction, bundle: Bundle): Promise<void> {
  const { attempt, content, operations, files } = bundle;
  const server = await tx.get('device', 'server');
  const epoch = server?.kind === 'server' ? server.epoch : 0;
  const goesAgain = operations.some((one) => isBehind(one, epoch));
  if (attempt) {
    const stored = await tx.get('attempts', attempt.attemptId);
    const joined = stored && mergeAttempts(stored, attempt, hasFinish(attempt, operations));
    await tx.put('attempts', joined ?? attempt);
  }
  if (content) {
    const stored = await tx.get('contents', content.attemptId);
    const isEmpty = stored === null || stored.questions.length === 0;
    if (isEmpty) await tx.put('contents', content);
  }
  for (const one of operations) {
    if (await tx.get('operations', one.operationId)) continue;
    const again = { ...one, state: 'waiting', sent: true } as const;
    await tx.put('operations', isBehind(one, epoch) ? again : one);
  }
  for (const file of files) {
    if (await tx.get('files', file.fileId)) continue;
    const again = { ...file, state: 'unchecked', wanted: true } as const;
    await tx.put('files', goesAgain && file.state === 'complete' ? again : file);
  }
}

async function decryptFile(core: Core, deviceKey: DeviceKeyRow, fileId: string): Promise<boolean> {
  let isWhole = true;
  const rows = await core.main.read(['encrypted'], (tx) => tx.all('encrypted', 'file', fileId));
  for (const row of rows) {
    const plain = await open(deviceKey, row);
    if (plain === null) isWhole = false;
    else {
      const bytes = { fileId, part: row.part, bytes: plain.buffer };
      await putBack(core, deviceKey, row, (tx) => tx.put('fileBytes', bytes));
    }
  }
  return isWhole;
}

/** False: it does not open, and stays as it is, with every byte. */
async function decryptRow(
  core: Core,
  deviceKey: DeviceKeyRow,
  row: EncryptedRow,
): Promise<boolean> {
  const plain = await open(deviceKey, row);
  if (plain === null) return false;
  const text = new TextDecoder().decode(plain);
  if (row.kind === 'broken') {
    await putBack(core, deviceKey, row, (tx) => tx.put('broken', fromText(text) as BrokenRow));
    return true;
  }
  const bundle = parseBundle(text);
  let isWhole = true;
  // Bytes first: nothing that the sender finds lacks them.
  for (const fileId of row.fileIds) {
    if (!(await decryptFile(core, deviceKey, fileId))) isWhole = false;
  }
  await putBack(core, deviceKey, row, (tx) => putBundle(tx, bundle));
  return isWhole;
}

/**
 * Stores the key for the time of the sign-in. Null: there is none, or no room for it, and nothing is
 * encrypted or opened.
 */
export async function storeDeviceKey(
  core: Core,
  owner: string,
  base64url: string | null,
): Promise<DeviceKeyRow | null> {
  const key = base64url === null ? null : await importDeviceKey(base64url);
  if (key === null) return core.main.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner));
  const row: DeviceKeyRow = { owner, key, signIn: core.env.newId() };
  const write = () => core.main.write(['deviceKeys'], (tx) => tx.put('deviceKeys', row));
  try {
    await write().catch(async (error: unknown) => {
      if (!(error instanceof StorageFailure) || error.kind !== 'quota') throw error;
      await core.env.freeSpace?.();
      await write();
    });
    return row;
  } catch (error) {
    core.log({ event: 'deviceKeyNotStored', detail: String(error) });
    return null;
  }
}

/** Brings back what its owner left here. What does not open, or finds no key, is counted and stays. */
export async function decryptOwner(
  core: Core,
  owner: string,
  deviceKey: DeviceKeyRow | null,
): Promise<void> {
  const rows = await core.main.read(['encrypted'], async (tx) => [
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
