import { open } from 'node:fs/promises';

/** Makes the names in a folder durable before the database commits them. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such call for folders: it fails with EPERM, and NTFS journals names itself.
  if (process.platform === 'win32') return;
  const names = await open(path, 'r');
  try {
    await names.sync();
  } finally {
    await names.close();
  }
}
