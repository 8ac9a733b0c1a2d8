import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '#server/db/embedded/initdb.ts';

/** A temporary folder that other accounts may enter, so that root's PostgreSQL has access to its contents. */
export async function openFolder(): Promise<string> {
  const parent = process.getuid?.() === 0 ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent, 'exam-room-folder-'));
  await chmod(folder, 0o755);
  return folder;
}

/** The number in a cluster's postmaster.pid; undefined when it was stopped cleanly. */
export async function postmasterOf(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

/** Kills what a test left running in a cluster, waits for its end, and removes the folder. */
export async function clear(
  folder: string,
  cluster = join(folder, 'postgres', 'cluster'),
): Promise<void> {
  const pid = await postmasterOf(cluster);
  if (pid !== undefined && pid !== process.pid && isAlive(pid)) {
    process.kill(pid, 'SIGQUIT');
    await until(() => !isAlive(pid));
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Seldom enough to leave the processor to what is waited for. */
const POLL_MS = 20;

/** Waits until a condition is true; limited by the test's own timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(POLL_MS);
}
