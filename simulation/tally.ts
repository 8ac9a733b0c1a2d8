import { createHash } from 'node:crypto';
import type { CrashTold, Job, PlantTold, RunTold, Told } from './job.ts';

/** Adds up what the workers tell, and says it. */
export interface Tally {
  told(told: Told): void;
  lost(job: Job, reason: string): void;
  summary(): { passed: number; failed: number };
}

const PROGRESS_EVERY_MS = 20_000;

function repeat({ seed, bug }: RunTold, script: string | null): string {
  const words = [
    `npm run simulate -- --seed ${seed} --runs 1`,
    ...(bug === null ? [] : [`--bug "${bug}"`]),
    ...(script === null ? [] : [`--script "${script}"`]),
    '--trace',
  ];
  return words.join(' ');
}

export function createTally(total: number, say: (line: string) => void): Tally {
  const startedAt = Date.now();
  const faults = new Map<string, number>();
  const hashes = new Map<number, string>();
  const profiles = new Map<string, number>();
  let [runs, steps, operations, calls, violations, passed, failed] = [0, 0, 0, 0, 0, 0, 0];
  let [plants, cuts] = [0, 0];
  let saidAt = startedAt;

  const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1000)} с`;

  function progress(): void {
    if (Date.now() - saidAt < PROGRESS_EVERY_MS) return;
    saidAt = Date.now();
    say(`  … ${passed + failed} из ${total}, ${seconds()}`);
  }

  function addRun(run: RunTold): void {
    for (const line of run.lines) say(line);
    runs += 1;
    steps += run.steps;
    operations += run.operations;
    calls += run.calls;
    hashes.set(run.seed, run.hash);
    profiles.set(run.profile, (profiles.get(run.profile) ?? 0) + 1);
    for (const [kind, count] of run.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
    if (run.violations.length === 0) {
      passed += 1;
      return;
    }
    failed += 1;
    violations += run.violations.length;
    say(
      `Нарушение, зерно ${run.seed} (${run.profile}), история ${run.hash}. Повторить: ${repeat(run, null)}`,
    );
    for (const { invariant, detail } of run.violations) say(`    ${invariant}: ${detail}`);
    sayShortest(run);
  }

  function sayShortest(run: RunTold): void {
    if (!run.shortest) return;
    const { script, violations: left, tries, isShortest } = run.shortest;
    const kind = isShortest ? 'Короче нельзя' : 'Короче за отведённое время не вышло';
    say(`  ${kind}: ${script.length} действий, попыток ${tries}. Повторить:`);
    say(`    ${repeat(run, script.join(' '))}`);
    for (const { invariant, detail } of left) say(`    ${invariant}: ${detail}`);
  }

  function addCrash({ scenario, cuts: count, failed: wrong, lines }: CrashTold): void {
    for (const line of lines) say(line);
    cuts += count;
    if (wrong.length === 0) passed += 1;
    else failed += 1;
    for (const { at, violations: found } of wrong) {
      violations += found.length;
      const again = `npm run simulate -- --crashes --scenario ${scenario} --at ${at} --trace`;
      say(`Нарушение, обрыв питания на шаге ${at}. Повторить: ${again}`);
      for (const { invariant, detail } of found) say(`    ${invariant}: ${detail}`);
    }
  }

  function addPlant({ name, tried, caught, threw }: PlantTold): void {
    plants += 1;
    if (caught) {
      passed += 1;
      say(`поймана    ${name}: ${caught.violation.invariant}, зерно ${caught.seed}`);
    } else {
      failed += 1;
      say(`НЕ ПОЙМАНА ${name}: ${tried} зёрен без нарушений`);
      if (threw !== null) say(`    сам прогон сломался: ${threw}`);
    }
  }

  function historyHash(): string {
    const hash = createHash('sha256');
    for (const seed of [...hashes.keys()].toSorted((a, b) => a - b))
      hash.update(hashes.get(seed) ?? '');
    return hash.digest('hex').slice(0, 16);
  }

  const counts = (of: ReadonlyMap<string, number>): string =>
    [...of]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');

  return {
    told: (told) => {
      if (told.kind === 'run') addRun(told);
      else if (told.kind === 'plant') addPlant(told);
      else addCrash(told);
      progress();
    },
    lost: (job, reason) => {
      failed += 1;
      violations += 1;
      say(`Нарушение, ${JSON.stringify(job)}: ${reason}`);
    },
    summary: () => {
      if (plants > 0) {
        say(`Подложенных ошибок поймано: ${passed} из ${total}, ${seconds()}`);
        return { passed, failed };
      }
      if (cuts > 0) {
        say(`Обрывов питания: ${cuts}, ${seconds()}`);
        say(`Нарушений: ${violations}`);
        return { passed, failed };
      }
      const injected = [...faults.values()].reduce((sum, count) => sum + count, 0);
      say(
        `Прогонов: ${runs}, шагов: ${steps}, операций: ${operations}, вызовов: ${calls}, ${seconds()}`,
      );
      say(`Прогоны по видам: ${counts(profiles)}`);
      say(`Сбоев: ${injected} (${counts(faults)})`);
      say(`История: ${historyHash()}`);
      say(`Нарушений: ${violations}`);
      return { passed, failed };
    },
  };
}
