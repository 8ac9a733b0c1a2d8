import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { alignColumns } from './report.ts';

const Goal = v.object({
  name: v.string(),
  unit: v.string(),
  /** The figure must be at most this, or at least this. */
  kind: v.picklist(['most', 'least']),
  limit: v.number(),
  figure: v.number(),
  /** The same on Moodle 4.5, tuned, on two such cores. */
  moodle: v.optional(v.string()),
});
/** A figure with its goal. */
export type Goal = v.InferOutput<typeof Goal>;

const Report = v.object({ at: v.string(), goals: v.array(Goal) });

const isMet = ({ kind, limit, figure }: Goal): boolean =>
  kind === 'most' ? figure <= limit : figure >= limit;

const format = (value: number) => value.toLocaleString('ru', { maximumFractionDigits: 2 });

const formatLimit = ({ kind, limit }: Goal) => `${kind === 'most' ? '≤' : '≥'} ${format(limit)}`;

/** Formats goals as a table. */
export function goalsTable(goals: readonly Goal[]): string {
  const lines = goals.map((goal) => [
    `${goal.name}, ${goal.unit}`,
    formatLimit(goal),
    format(goal.figure),
    goal.moodle ?? '—',
    isMet(goal) ? 'да' : 'НЕТ',
  ]);
  return alignColumns([['цель', 'нужно', 'получено', 'Moodle', 'достигнута'], ...lines]);
}

const readReport = (path: string) => v.parse(Report, JSON.parse(readFileSync(path, 'utf8')));

const formatChange = (from: number, to: number) =>
  from === 0 ? '—' : `${to >= from ? '+' : '−'}${format(Math.abs((to / from - 1) * 100))} %`;

/** Formats the figures of two reports that measured the same goals, side by side. */
export function compareReports(before: string, after: string): string {
  const [first, second] = [readReport(before), readReport(after)];
  const lines = second.goals.flatMap((goal) => {
    const old = first.goals.find(({ name }) => name === goal.name);
    if (!old) return [];
    return [
      [
        `${goal.name}, ${goal.unit}`,
        formatLimit(goal),
        format(old.figure),
        format(goal.figure),
        formatChange(old.figure, goal.figure),
      ],
    ];
  });
  return alignColumns([['цель', 'нужно', first.at, second.at, 'перемена'], ...lines]);
}
