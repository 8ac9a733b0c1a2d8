import { open } from 'node:fs/promises';

/** Makes the names in a folder outlive a power cut: the database is about to promise them. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such call for folders: it refuses with EPERM, and keeps names by its own journal.
  if (process.platform === 'win32') return;
  const names = await open(path, 'r');
  try {
    await names.sync();
  } finally {
    await names.close();
  }
}
