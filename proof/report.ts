/** A violation, with the command that repeats it. */
export interface ReportedViolation {
  readonly what: string;
  readonly repeat: string;
}

/** Result of one part of the proof. */
export interface ProofPart {
  /** Requested number. */
  readonly requested: number;
  readonly done: number;
  readonly seconds: number;
  /** Other counts, by name. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly ReportedViolation[];
}

/** Whether the checker detected a planted bug. */
export interface PlantedFigure {
  readonly name: string;
  /** Null: not detected, or no seed completed. */
  readonly caughtBy: string | null;
  /** The seed or the power cut that revealed it. */
  readonly where: string | null;
  /** 0: no seed completed. */
  readonly tried: number;
}

export interface ProofReport {
  readonly at: string;
  readonly commit: string;
  readonly seed: number;
  /** Time limit of the whole run, minutes. */
  readonly minutes: number;
  readonly machine: { readonly cpus: number; readonly model: string; readonly load: number };
  readonly serverKills: ProofPart;
  readonly browserKills: ProofPart;
  readonly seeds: ProofPart;
  /** Null: not requested. */
  readonly planted: readonly PlantedFigure[] | null;
}

const PART_LABELS = {
  serverKills: 'Убито серверов и баз',
  browserKills: 'Убито браузеров',
  seeds: 'Зёрен симуляции',
} as const;

const PARTS = ['serverKills', 'browserKills', 'seeds'] as const;

const number = (value: number): string => value.toLocaleString('ru');

/** Pads the columns of a text table; the first is left-aligned. */
function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

export function violationsOf(report: ProofReport): ReportedViolation[] {
  const missed = (report.planted ?? [])
    .filter(({ caughtBy }) => caughtBy === null)
    .map(({ name, tried }) => ({
      what:
        tried === 0
          ? `подложенная ошибка не опробована до конца: ${name}`
          : `подложенная ошибка не поймана за ${tried} зёрен: ${name}`,
      repeat: `npm run simulate -- --planted --bug '${name}'`,
    }));
  return [...PARTS.flatMap((part) => report[part].violations), ...missed];
}

/** Formats the table for a terminal. */
export function formatTable(report: ProofReport): string {
  const parts = PARTS.map((part) => {
    const { requested, done, seconds, violations } = report[part];
    const counted = [done, requested, Math.round(seconds), violations.length].map(number);
    return [PART_LABELS[part], ...counted];
  });
  const { planted } = report;
  const caught = planted?.filter(({ caughtBy }) => caughtBy !== null).length ?? 0;
  return [
    alignColumns([['', 'сделано', 'просили', 'секунд', 'нарушений'], ...parts]),
    ...(planted === null ? [] : [`Подложенных ошибок поймано: ${caught} из ${planted.length}`]),
    `Зерно ${report.seed}, версия ${report.commit}, ${report.at}, средняя загрузка ${report.machine.load} на ${report.machine.cpus} ядра`,
  ].join('\n');
}

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');

const ENGLISH_LABELS = {
  serverKills: 'kills of servers and databases',
  browserKills: 'kills of browsers',
  seeds: 'simulated seeds',
} as const;

/** Formats the part of `docs/PROOF.md` between its markers. */
export function formatMarkdown(report: ProofReport): string {
  const { machine, planted } = report;
  const lines = PARTS.map((part) => {
    const { requested, done, seconds, counts, violations } = report[part];
    const cells = [done, requested, Math.round(seconds)].map((value) => value.toLocaleString('en'));
    return `| ${ENGLISH_LABELS[part]} | ${cells.join(' | ')} | ${violations.length} | ${countsText(counts)} |`;
  });
  const isReduced = PARTS.some((part) => report[part].done < report[part].requested);
  return [
    `Run of ${report.at} at commit \`${report.commit}\`, first seed ${report.seed}, at most ${report.minutes} minutes, on`,
    `${machine.cpus} cores (${machine.model}) with an average load of ${machine.load}.`,
    '',
    '| what | done | requested | seconds | violations | among them |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    ...(isReduced
      ? ['', 'The number done falls short of the number requested where the time ended first.']
      : []),
    ...(planted === null
      ? []
      : [
          '',
          '| planted bug | detected by | where | tried |',
          '| --- | --- | --- | --- |',
          ...planted.map(
            ({ name, caughtBy, where, tried }) =>
              `| ${name} | ${caughtBy ?? (tried === 0 ? 'not tried to the end' : 'NOT FOUND')} | ${where ?? ''} | ${tried} |`,
          ),
        ]),
  ].join('\n');
}

export const MARKERS = ['<!-- figures: npm run proof -- --write -->', '<!-- /figures -->'] as const;

/** Replaces the text between the markers of a document. Throws when it has none. */
export function replaceFigures(document: string, figures: string): string {
  const [opening, closing] = MARKERS;
  const from = document.indexOf(opening);
  const to = document.indexOf(closing);
  if (from === -1 || to < from) throw new Error('docs/PROOF.md has lost its markers');
  return `${document.slice(0, from + opening.length)}\n\n${figures}\n\n${document.slice(to)}`;
}
