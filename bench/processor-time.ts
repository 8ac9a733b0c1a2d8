import { readFileSync } from 'node:fs';
import { family } from '#tests/programs/processes.ts';

/** The unit of /proc/PID/stat: a hundredth of a second on every Linux. */
const TICK_US = 10_000;

/** Own user and system time, and that of children that ended, in microseconds; 0 when it is gone. */
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

/** Processor time so far of one process, in microseconds. Null where the system does not tell. */
export function processorTime(pid: number): number | null {
  return process.platform === 'linux' ? timesOf(pid).own : null;
}

/** Processor time so far of a PostgreSQL: its postmaster and every session that ran or runs. */
export function postgresTime(postmaster: number): number | null {
  if (process.platform !== 'linux') return null;
  return family(postmaster).reduce((sum, pid) => sum + timesOf(pid).own, timesOf(postmaster).ended);
}
