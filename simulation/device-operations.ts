import { BUNDLE_STORES, parseBundle, placeOf } from '#app/outbox/encrypt.ts';
import { decryptBytes, importDeviceKey } from '#app/storage/cipher.ts';
import { openStorage } from '#app/storage/open.ts';
import type { OperationRow } from '#app/storage/rows.ts';
import { deviceKeyOf } from '#server/auth/device-key.ts';
import type { Device } from './device.ts';
import type { SimulatedServer } from './server.ts';

/** All operations on a device, of every owner: plaintext ones, and encrypted ones under their owner's key. */
export async function operationsOn(
  device: Device,
  { deps }: Pick<SimulatedServer, 'deps'>,
): Promise<OperationRow[]> {
  const storage = await openStorage(device.factory);
  const { plain, encrypted } = await storage.read([...BUNDLE_STORES, 'encrypted'], async (tx) => ({
    plain: await tx.all('operations'),
    encrypted: await tx.all('encrypted', 'kind', 'attempt'),
  }));
  storage.close();
  const hidden: OperationRow[] = [];
  for (const row of encrypted) {
    const key = await importDeviceKey(deviceKeyOf(deps.state.sealKey, row.owner));
    const bytes = key && (await decryptBytes(key, placeOf(row), row));
    if (!bytes) throw new Error(`${device.label} holds a row that does not open`);
    hidden.push(...parseBundle(new TextDecoder().decode(bytes)).operations);
  }
  const all = [...hidden, ...plain];
  return [...new Map(all.map((one) => [one.operationId, one])).values()];
}
