import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, asFileError } from './db/operator-error.ts';
import { syncFolder } from './files/sync-folder.ts';

/** Files that people sent: readable by the server's account alone. */
const PRIVATE_FOLDERS = ['uploads', 'blobs', 'incoming'];

const PROBE = Buffer.alloc(4_096, 1);

/**
 * Creates the data folder and tests writing into it, so that a wrong one is reported at the start and not at
 * the first upload. A full disk is only a warning: answers may be stored elsewhere.
 * @throws {OperatorError} when the folder cannot be used
 */
export async function prepareDataFolder(
  dataDir: string,
  say: (line: string) => void,
): Promise<void> {
  const path = join(dataDir, `.probe-${randomUUID()}`);
  try {
    const made = await mkdir(dataDir, { recursive: true, mode: 0o755 });
    for (const name of PRIVATE_FOLDERS) {
      await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 });
      // An older server may have created it open to everybody on the machine.
      await chmod(join(dataDir, name), 0o700);
    }
    await syncFolder(dataDir);
    if (made !== undefined) await syncFolder(dirname(made));
    const file = await open(path, 'w');
    try {
      await file.write(PROBE);
      await file.datasync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) throw asFileError(error, dataDir);
    say(
      `ВНИМАНИЕ: на диске с папкой ${dataDir} кончилось место. Файлы приниматься не будут, пока оно не освободится.`,
    );
  }
}
