import type { Core } from './core.ts';
import { decryptOwner, storeDeviceKey } from './decrypt.ts';
import { encryptAllBut } from './encrypt.ts';
import { rescueUnsaved } from './rescue.ts';

/**
 * What lies here of whoever is not signed in is encrypted. A file of its own beside the first load: each
 * sign-in loads it, so that a sign-out without a network has it.
 */

/** False: there is no key, and the owner's rows stay as they are. */
export async function openRows(
  core: Core,
  owner: string,
  deviceKey: string | null,
): Promise<boolean> {
  await core.ready();
  const stored = await storeDeviceKey(core, owner, deviceKey);
  // What found room meanwhile is encrypted too.
  await rescueUnsaved(core);
  core.runtime.lastRead.clear();
  await encryptAllBut(core, owner);
  await decryptOwner(core, owner, stored);
  core.emit({ kind: 'changed', attemptId: null });
  return stored !== null;
}

export async function encryptRows(core: Core): Promise<void> {
  await core.ready();
  await rescueUnsaved(core);
  await encryptAllBut(core, null);
  core.runtime.unreadable = 0;
  core.runtime.lastRead.clear();
  core.emit({ kind: 'changed', attemptId: null });
}
