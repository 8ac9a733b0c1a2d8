import { createHash } from 'node:crypto';
import { OFFLINE_START } from './profiles.ts';
import type { CrashReport, Job, PlantReport, RunReport, Report } from './job.ts';

/** Sums up the workers' reports and prints them. */
export interface Tally {
  addReport(report: Report): void;
  addLost(job: Job, reason: string): void;
  summary(): { passed: number; failed: number };
}

const PROGRESS_EVERY_MS = 20_000;

function repeat({ seed, bug, profile }: RunReport, script: string | null): string {
  const parts = [
    `npm run simulate -- --seed ${seed} --runs 1`,
    ...(profile === OFFLINE_START.name ? ['--offline-start'] : []),
    ...(bug === null ? [] : [`--bug "${bug}"`]),
    ...(script === null ? [] : [`--script "${script}"`]),
    '--trace',
  ];
  return parts.join(' ');
}

type Print = (line: string) => void;

const counts = (of: ReadonlyMap<string, number>): string =>
  [...of]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

function printViolations(run: RunReport, print: Print): void {
  print(
    `Нарушение, зерно ${run.seed} (${run.profile}), история ${run.hash}. Повторить: ${repeat(run, null)}`,
  );
  for (const { invariant, detail } of run.violations) print(`    ${invariant}: ${detail}`);
  if (!run.shortest) return;
  const { script, violations: left, tries, isShortest } = run.shortest;
  const kind = isShortest ? 'Короче нельзя' : 'Короче за отведённое время не вышло';
  print(`  ${kind}: ${script.length} действий, попыток ${tries}. Повторить:`);
  print(`    ${repeat(run, script.join(' '))}`);
  for (const { invariant, detail } of left) print(`    ${invariant}: ${detail}`);
}

/** Sums of random runs. */
function createRunSums() {
  const faults = new Map<string, number>();
  const hashes = new Map<number, string>();
  const profiles = new Map<string, number>();
  let [runs, steps, operations, calls] = [0, 0, 0, 0];

  function historyHash(): string {
    const hash = createHash('sha256');
    for (const seed of [...hashes.keys()].toSorted((a, b) => a - b))
      hash.update(hashes.get(seed) ?? '');
    return hash.digest('hex').slice(0, 16);
  }

  return {
    add(run: RunReport): void {
      runs += 1;
      steps += run.steps;
      operations += run.operations;
      calls += run.calls;
      hashes.set(run.seed, run.hash);
      profiles.set(run.profile, (profiles.get(run.profile) ?? 0) + 1);
      for (const [kind, count] of run.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
    },
    print(print: Print, seconds: string): void {
      const injected = [...faults.values()].reduce((sum, count) => sum + count, 0);
      print(
        `Прогонов: ${runs}, шагов: ${steps}, операций: ${operations}, вызовов: ${calls}, ${seconds}`,
      );
      print(`Прогоны по видам: ${counts(profiles)}`);
      print(`Сбоев: ${injected} (${counts(faults)})`);
      print(`История: ${historyHash()}`);
    },
  };
}

function printPlant({ name, tried, caught, threw }: PlantReport, print: Print): void {
  if (caught) {
    print(`поймана    ${name}: ${caught.violation.invariant}, зерно ${caught.seed}`);
    return;
  }
  print(`НЕ ПОЙМАНА ${name}: ${tried} зёрен без нарушений`);
  if (threw !== null) print(`    сам прогон сломался: ${threw}`);
}

function printCrashes({ scenario, failed }: CrashReport, print: Print): void {
  for (const { at, violations } of failed) {
    const command = `npm run simulate -- --crashes --scenario ${scenario} --at ${at} --trace`;
    print(`Нарушение, обрыв питания на шаге ${at}. Повторить: ${command}`);
    for (const { invariant, detail } of violations) print(`    ${invariant}: ${detail}`);
  }
}

/** Whether a report counts as passed. */
function hasPassed(report: Report): boolean {
  if (report.kind === 'plant') return report.caught !== null;
  return report.kind === 'run' ? report.violations.length === 0 : report.failed.length === 0;
}

function violationsIn(report: Report): number {
  if (report.kind === 'plant') return 0;
  if (report.kind === 'run') return report.violations.length;
  return report.failed.reduce((sum, { violations }) => sum + violations.length, 0);
}

export function createTally(total: number, print: Print): Tally {
  const startedAt = Date.now();
  const sums = createRunSums();
  let [violations, passed, failed, plants, cuts] = [0, 0, 0, 0, 0];
  let printedAt = startedAt;

  const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1000)} с`;

  function progress(): void {
    if (Date.now() - printedAt < PROGRESS_EVERY_MS) return;
    printedAt = Date.now();
    print(`  … ${passed + failed} из ${total}, ${seconds()}`);
  }

  return {
    addReport: (report) => {
      if (hasPassed(report)) passed += 1;
      else failed += 1;
      violations += violationsIn(report);
      if (report.kind === 'plant') {
        plants += 1;
        printPlant(report, print);
      } else {
        for (const line of report.lines) print(line);
        if (report.kind === 'crash') {
          cuts += report.cuts;
          printCrashes(report, print);
        } else {
          sums.add(report);
          if (report.violations.length > 0) printViolations(report, print);
        }
      }
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
      if (cuts > 0) print(`Обрывов питания: ${cuts}, ${seconds()}`);
      else sums.print(print, seconds());
      print(`Нарушений: ${violations}`);
      return { passed, failed };
    },
  };
}
