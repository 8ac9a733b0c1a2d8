import { createHash } from 'node:crypto';
import type { CrashReport, Job, PlantReport, RunReport, Report } from './job.ts';

/** Sums up the workers' reports and prints them. */
export interface Tally {
  addReport(report: Report): void;
  addLost(job: Job, reason: string): void;
  summary(): { passed: number; failed: number };
}

const PROGRESS_EVERY_MS = 20_000;

function repeat({ seed, bug }: RunReport, script: string | null): string {
  const parts = [
    `npm run simulate -- --seed ${seed} --runs 1`,
    ...(bug === null ? [] : [`--bug "${bug}"`]),
    ...(script === null ? [] : [`--script "${script}"`]),
    '--trace',
  ];
  return parts.join(' ');
}

export function createTally(total: number, print: (line: string) => void): Tally {
  const startedAt = Date.now();
  const faults = new Map<string, number>();
  const hashes = new Map<number, string>();
  const profiles = new Map<string, number>();
  let [runs, steps, operations, calls, violations, passed, failed] = [0, 0, 0, 0, 0, 0, 0];
  let [plants, cuts] = [0, 0];
  let printedAt = startedAt;

  const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1000)} с`;

  function progress(): void {
    if (Date.now() - printedAt < PROGRESS_EVERY_MS) return;
    printedAt = Date.now();
    print(`  … ${passed + failed} из ${total}, ${seconds()}`);
  }

  function addRun(run: RunReport): void {
    for (const line of run.lines) print(line);
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
    print(
      `Нарушение, зерно ${run.seed} (${run.profile}), история ${run.hash}. Повторить: ${repeat(run, null)}`,
    );
    for (const { invariant, detail } of run.violations) print(`    ${invariant}: ${detail}`);
    printShortest(run);
  }

  function printShortest(run: RunReport): void {
    if (!run.shortest) return;
    const { script, violations: left, tries, isShortest } = run.shortest;
    const kind = isShortest ? 'Короче нельзя' : 'Короче за отведённое время не вышло';
    print(`  ${kind}: ${script.length} действий, попыток ${tries}. Повторить:`);
    print(`    ${repeat(run, script.join(' '))}`);
    for (const { invariant, detail } of left) print(`    ${invariant}: ${detail}`);
  }

  function addCrash({ scenario, cuts: count, failed: wrong, lines }: CrashReport): void {
    for (const line of lines) print(line);
    cuts += count;
    if (wrong.length === 0) passed += 1;
    else failed += 1;
    for (const { at, violations: found } of wrong) {
      violations += found.length;
      const command = `npm run simulate -- --crashes --scenario ${scenario} --at ${at} --trace`;
      print(`Нарушение, обрыв питания на шаге ${at}. Повторить: ${command}`);
      for (const { invariant, detail } of found) print(`    ${invariant}: ${detail}`);
    }
  }

  function addPlant({ name, tried, caught, threw }: PlantReport): void {
    plants += 1;
    if (caught) {
      passed += 1;
      print(`поймана    ${name}: ${caught.violation.invariant}, зерно ${caught.seed}`);
    } else {
      failed += 1;
      print(`НЕ ПОЙМАНА ${name}: ${tried} зёрен без нарушений`);
      if (threw !== null) print(`    сам прогон сломался: ${threw}`);
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
    addReport: (report) => {
      if (report.kind === 'run') addRun(report);
      else if (report.kind === 'plant') addPlant(report);
      else addCrash(report);
      progress();
    },
    addLost: (job, reason) => {
      failed += 1;
      violations += 1;
      print(`Нарушение, ${JSON.stringify(job)}: ${reason}`);
    },
    summary: () => {
      if (plants > 0) {
        print(`Подложенных ошибок поймано: ${passed} из ${total}, ${seconds()}`);
        return { passed, failed };
      }
      if (cuts > 0) {
        print(`Обрывов питания: ${cuts}, ${seconds()}`);
        print(`Нарушений: ${violations}`);
        return { passed, failed };
      }
      const injected = [...faults.values()].reduce((sum, count) => sum + count, 0);
      print(
        `Прогонов: ${runs}, шагов: ${steps}, операций: ${operations}, вызовов: ${calls}, ${seconds()}`,
      );
      print(`Прогоны по видам: ${counts(profiles)}`);
      print(`Сбоев: ${injected} (${counts(faults)})`);
      print(`История: ${historyHash()}`);
      print(`Нарушений: ${violations}`);
      return { passed, failed };
    },
  };
}
