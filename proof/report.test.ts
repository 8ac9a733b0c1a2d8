import { expect, test } from 'vitest';
import {
  formatMarkdown,
  formatTable,
  MARKERS,
  type ProofPart,
  type ProofReport,
  replaceFigures,
  violationsOf,
} from './report.ts';

const part = (
  requested: number,
  done: number,
  violations: ProofPart['violations'] = [],
): ProofPart => ({
  requested,
  done,
  seconds: 61.4,
  counts: { operations: 12_345 },
  violations,
});

const report: ProofReport = {
  at: '2026-11-22T10:00:00.000Z',
  commit: 'abcdef123456',
  seed: 7,
  minutes: 170,
  machine: { cpus: 2, model: 'a processor', load: 1.5 },
  serverKills: part(2_000, 2_000),
  browserKills: part(500, 500),
  seeds: part(100_000, 15_000, [{ what: 'savedIsStored: o1', repeat: 'npm run simulate' }]),
  planted: [
    { name: 'drops on 401', caughtBy: 'savedIsStored', where: 'seed 3', tried: 3 },
    { name: 'drops on 429', caughtBy: null, where: null, tried: 60 },
  ],
};

test('violations are those of all parts, and undetected planted bugs', () => {
  expect(violationsOf(report).map(({ repeat }) => repeat)).toEqual([
    'npm run simulate',
    "npm run simulate -- --planted --bug 'drops on 429'",
  ]);
  expect(violationsOf({ ...report, seeds: part(1, 1), planted: null })).toEqual([]);
});

test('the figures show done and requested numbers, with seed, commit and date', () => {
  const figures = formatMarkdown(report);
  expect(figures).toContain('2026-11-22T10:00:00.000Z at commit `abcdef123456`, first seed 7');
  expect(figures).toContain('| simulated seeds | 15,000 | 100,000 | 61 | 1 | operations 12,345 |');
  expect(figures).toContain('falls short');
  expect(figures).toContain('| drops on 429 | NOT FOUND |  | 60 |');
  expect(formatTable(report)).toContain('Подложенных ошибок поймано: 1 из 2');
  expect(formatMarkdown({ ...report, seeds: part(1, 1) })).not.toContain('falls short');
});

test('figures replace those of the last run and nothing else', () => {
  const before = `# Title\n\n${MARKERS[0]}\n\nold\n\n${MARKERS[1]}\n\nrest\n`;
  const after = replaceFigures(before, 'new');
  expect(after).toBe(before.replace('old', 'new'));
  expect(replaceFigures(after, 'new')).toBe(after);
  expect(() => replaceFigures('no markers', 'new')).toThrow('markers');
});
