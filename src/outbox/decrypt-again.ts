import type { Core } from './core.ts';
import { decryptOwner, decryptRowBytes, retryDeviceKey } from './decrypt.ts';

/** What had no space at the sign-in and still lies encrypted. Loaded when it matters. */

const readEncrypted = (core: Core, owner: string) =>
  core.storage.read(['encrypted', 'deviceKeys'], async (tx) => ({
    rows: await tx.all('encrypted', 'ownerKind', [owner, 'attempt']),
    key: await tx.get('deviceKeys', owner),
  }));

/** Restores rows that could not be restored at the sign-in, on whatever page that was. */
export async function decryptAgain(core: Core, owner: string): Promise<void> {
  await retryDeviceKey(core, owner);
  const { rows, key } = await readEncrypted(core, owner);
  // Without a key, the next sign-in brings it.
  if (rows.length > 0 && key !== null) await decryptOwner(core, owner, key);
}

/** Whether rows of this attempt still lie encrypted, because there is no space for them or for their key. */
export async function staysEncrypted(
  core: Core,
  owner: string,
  attemptId: string,
): Promise<boolean> {
  await decryptAgain(core, owner);
  const { rows, key } = await readEncrypted(core, owner);
  const { unstoredKey } = core.runtime;
  const known = key ?? (unstoredKey?.owner === owner ? unstoredKey : null);
  // Without a key, it may be in any that waits.
  if (known === null) return rows.some(({ waits }) => waits);
  for (const row of rows) {
    const plain = await decryptRowBytes(known, row);
    if (plain !== null && new TextDecoder().decode(plain).includes(attemptId)) return true;
  }
  return false;
}
