import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { DRAFT_DATABASE, type DeviceKeyRow } from './rows.ts';

/** False if nobody has edited a test; true if the browser cannot list databases, since it may exist. */
export async function hasDraftDatabase(factory: IDBFactory | undefined): Promise<boolean> {
  if (!factory) return false;
  if (!('databases' in factory)) return true;
  const databases = await factory.databases();
  return databases.some(({ name }) => name === DRAFT_DATABASE);
}

const loadDraftDatabase = createModuleLoader(() => import('./draft-database.ts'));

/**
 * Encrypts the working copies that a person leaves in plain. The code for it is loaded only if there are any. False:
 * some are still in plain, and the key is still needed.
 */
export async function encryptDrafts(deviceKey: DeviceKeyRow): Promise<boolean> {
  if (!(await hasDraftDatabase(globalThis.indexedDB))) return true;
  const { encryptDraftRows } = await loadDraftDatabase();
  return encryptDraftRows(deviceKey);
}
