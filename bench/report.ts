import type { Load } from './tasks.ts';

/** One measurement of the report. Times in milliseconds, processor time in microseconds per call. */
export interface Figures {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly slowestMs: number;
  readonly serverCpuUs: number | null;
  readonly postgresCpuUs: number | null;
  readonly clientCpuUs: number;
  /** 0 to 1; from 0.85 on the client is the bottleneck. */
  readonly clientBusy: number;
}

/** A measurement with the processor time of server and database during it. */
export interface Measurement {
  readonly load: Load;
  readonly serverUs: number | null;
  readonly postgresUs: number | null;
}

export const CLIENT_IS_BOTTLENECK = 0.85;

const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

const at = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

/** The upper one of an even number. */
export const median = (values: readonly number[]): number =>
  at(
    values.toSorted((one, other) => one - other),
    0.5,
  );

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Combines rounds of the same measurement. */
export function figuresOf(rounds: readonly Measurement[]): Figures {
  const loads = rounds.map(({ load }) => load);
  const calls = sum(loads.map((load) => load.calls));
  const ms = sum(loads.map((load) => load.ms));
  const latencies = loads.flatMap((load) => load.latencies).toSorted((a, b) => a - b);
  const each = (values: readonly (number | null)[]) =>
    values.some((value) => value === null) ? null : rounded(sum(values.map(Number)) / calls, 0);
  return {
    calls,
    perSecond: rounded((calls / ms) * 1000, 1),
    p50Ms: rounded(at(latencies, 0.5)),
    p99Ms: rounded(at(latencies, 0.99)),
    slowestMs: rounded(latencies.at(-1) ?? 0),
    serverCpuUs: each(rounds.map(({ serverUs }) => serverUs)),
    postgresCpuUs: each(rounds.map(({ postgresUs }) => postgresUs)),
    clientCpuUs: rounded(sum(loads.map((load) => load.cpuUs)) / calls, 0),
    clientBusy: rounded(Math.max(...loads.map((load) => load.busy))),
  };
}

/** Throws when a call failed: figures that include failures are meaningless. */
export function requireNoFailures(what: string, load: Load): void {
  const failures = Object.entries(load.failures).map(([words, count]) => `${count} × ${words}`);
  if (failures.length > 0) throw new Error(`${what}: ${failures.join('; ')}`);
}

const number = (value: number | null, digits = 0) =>
  value === null
    ? '—'
    : value.toLocaleString('ru', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const COLUMNS = [
  'измерение',
  'в секунду',
  'p50, мс',
  'p99, мс',
  'CPU сервера, мкс',
  'CPU PostgreSQL, мкс',
  'CPU клиента, мкс',
  'клиент занят',
] as const;

const cells = (name: string, figures: Figures): string[] => [
  name,
  number(figures.perSecond),
  number(figures.p50Ms, 1),
  number(figures.p99Ms, 1),
  number(figures.serverCpuUs),
  number(figures.postgresCpuUs),
  number(figures.clientCpuUs),
  `${number(figures.clientBusy * 100)} %`,
];

/** Formats measurements as a table. */
export function tableOf(measured: readonly (readonly [name: string, figures: Figures])[]): string {
  return alignColumns([[...COLUMNS], ...measured.map(([name, figures]) => cells(name, figures))]);
}

/** Formats lines of cells as a table, its first column to the left. */
export function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
