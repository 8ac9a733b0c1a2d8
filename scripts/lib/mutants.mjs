/**
 * @typedef {{line: number, column: number}} Position
 * @typedef {{
 *   id: string,
 *   mutatorName: string,
 *   replacement: string,
 *   status: string,
 *   location: {start: Position, end: Position},
 * }} Mutant
 * @typedef {{files: Record<string, {source: string, mutants: Mutant[]}>}} MutationReport
 */

/** In per cent: a part with a lower score fails. */
export const LOWEST_SCORE = 92;

/** @param {string} text */
const onOneLine = (text) => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
};

/** @param {string} source @param {Mutant['location']} location */
const originalText = (source, { start, end }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
};

/**
 * The figures of a Stryker report in one line, and one line for each wrong line that no test saw.
 * @param {MutationReport} report
 */
export const summarise = ({ files }) => {
  const mutants = Object.entries(files).flatMap(([path, file]) =>
    file.mutants.map((mutant) => ({ path, source: file.source, mutant })),
  );
  /** @param {string} status */
  const count = (status) => mutants.filter(({ mutant }) => mutant.status === status).length;
  const detected = count('Killed') + count('Timeout');
  const unseen = mutants.filter(
    ({ mutant }) => mutant.status === 'Survived' || mutant.status === 'NoCoverage',
  );
  const total = detected + unseen.length;
  const score = total === 0 ? 0 : Math.floor((detected / total) * 1000) / 10;
  return {
    score,
    line: [
      `мутантов ${total}`,
      `убито ${count('Killed')}`,
      `по времени ${count('Timeout')}`,
      `выжило ${unseen.length}`,
      `не собирается ${count('CompileError')}`,
      `${String(score).replace('.', ',')} %`,
    ].join(', '),
    survivors: unseen
      .toSorted(
        (a, b) =>
          a.path.localeCompare(b.path) ||
          a.mutant.location.start.line - b.mutant.location.start.line,
      )
      .map(
        ({ path, source, mutant }) =>
          `${path}:${mutant.location.start.line} ${mutant.mutatorName}: ` +
          `${onOneLine(originalText(source, mutant.location))} → ${onOneLine(mutant.replacement)}`,
      ),
  };
};
