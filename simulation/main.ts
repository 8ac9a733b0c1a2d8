import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '#tests/postgres.ts';
import { runCrew } from './crew.ts';
import type { Job } from './job.ts';
import { PLANTED } from './planted/all.ts';
import { createTally } from './tally.ts';

/**
 * `--runs N --seed S`: N runs from seed S on; `--trace` prints their histories.
 * `--planted [--bug NAME]`: every planted bug, one by one, until the checker turns red on it.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
});

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  console.error(`--${name}: нужно целое число`);
  process.exit(2);
}

function jobsOf(): Job[] {
  const seed = wholeNumber(values.seed, 'seed');
  if (values.planted) {
    return PLANTED.filter(({ name }) => values.bug === undefined || name === values.bug).map(
      ({ name }) => ({ kind: 'plant', name, seed }),
    );
  }
  const runs = wholeNumber(values.runs, 'runs');
  return Array.from({ length: runs }, (_, i) => ({
    kind: 'run',
    seed: seed + i,
    trace: values.trace,
  }));
}

const jobs = jobsOf();
const tally = createTally(jobs.length, (line) => console.log(line));
const postgres = await startTestPostgres();
try {
  await runCrew({ url: postgres.url, jobs, onTold: tally.told, onLost: tally.lost });
} finally {
  await postgres.stop();
}
const count = tally.summary(values.planted);
mkdirSync('reports', { recursive: true });
writeFileSync('reports/simulation.json', JSON.stringify(count));
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;
