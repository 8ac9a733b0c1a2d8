import { readFileSync } from 'node:fs';
import { family } from '#tests/programs/processes.ts';

/** Clock tick of /proc/PID/stat: a hundredth of a second on Linux. */
const TICK_US = 10_000;

/** User and system time, terminated children included, in microseconds; 0 when the process has ended. */
function timesOf(pid: number): { own: number; ended: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { own: (user + system) * TICK_US, ended: (endedUser + endedSystem) * TICK_US };
  } catch {
    return { own: 0, ended: 0 };
  }
}

/** Processor time used so far by one process, in microseconds. Null without /proc. */
export function processorTime(pid: number): number | null {
  return process.platform === 'linux' ? timesOf(pid).own : null;
}

/** Processor time used so far by PostgreSQL: the postmaster and all its sessions, ended ones included. */
export function postgresTime(postmaster: number): number | null {
  if (process.platform !== 'linux') return null;
  return family(postmaster).reduce((sum, pid) => sum + timesOf(pid).own, timesOf(postmaster).ended);
}
