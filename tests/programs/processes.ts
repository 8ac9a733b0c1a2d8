import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { isAlive } from '#server/db/embedded/initdb.ts';
import { until } from '#tests/folders.ts';

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** A zombie occupies nothing any more. */
  readonly isZombie: boolean;
}

/** State and parent follow the name, which may contain anything but ends with the last bracket. */
function readStat(pid: string): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), parent: Number(parent), isZombie: state === 'Z' || state === 'X' };
  } catch {
    // it ended meanwhile
    return null;
  }
}

function listed(): Process[] {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(readStat).filter((found) => found !== null);
  }
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => {
    const [pid, parent, state] = line.trim().split(/\s+/);
    return pid && parent && state
      ? [{ pid: Number(pid), parent: Number(parent), isZombie: state.startsWith('Z') }]
      : [];
  });
}

/** The children of a process that live now. */
export const childrenOf = (pid: number): number[] =>
  listed().flatMap((child) => (child.parent === pid && !child.isZombie ? [child.pid] : []));

/** A process and its children, as they are now. */
export const family = (pid: number): number[] => [pid, ...childrenOf(pid)];

export function isGone(pid: number): boolean {
  if (process.platform === 'linux') return readStat(String(pid))?.isZombie ?? true;
  return !isAlive(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended meanwhile
  }
}

/**
 * Kills processes with SIGKILL, the first ones and at once their children, and waits until all are gone: a
 * power cut for them, except for the pages in the system's cache.
 */
export async function cutPower(pids: readonly number[]): Promise<void> {
  const all = pids.flatMap(family);
  for (const pid of all) kill(pid);
  // children started between the listing and the kill
  for (const pid of pids.flatMap(family)) kill(pid);
  await until(() => all.every(isGone));
}
