import { performance } from 'node:perf_hooks';
import { clear, openFolder } from '#tests/folders.ts';
import { startLiveServer } from '#tests/programs/live-server.ts';
import { median } from './report.ts';

const STARTS = 5;

/** From the start of the process, with a database of an earlier run, to listening; median of five, milliseconds. */
export async function benchStartUp(): Promise<number> {
  const dataDir = await openFolder();
  try {
    // The first start makes the database.
    await (await startLiveServer({ dataDir })).end('SIGTERM');
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const from = performance.now();
      const server = await startLiveServer({ dataDir });
      times.push(performance.now() - from);
      await server.end('SIGTERM');
    }
    return Math.round(median(times));
  } finally {
    await clear(dataDir);
  }
}
