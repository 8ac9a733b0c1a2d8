/** A period; milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The same time as sorted periods that neither overlap nor touch; empty ones are left out. */
export function unitePeriods(periods: readonly Period[]): Period[] {
  const united: Period[] = [];
  for (const { from, to } of [...periods].sort((a, b) => a.from - b.from)) {
    const last = united.at(-1);
    if (to <= from) continue;
    if (last && from <= last.to)
      united[united.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else united.push({ from, to });
  }
  return united;
}

/** The parts of the periods that lie within one period. */
export const clipPeriods = (periods: readonly Period[], within: Period): Period[] =>
  unitePeriods(
    periods.map(({ from, to }) => ({
      from: Math.max(from, within.from),
      to: Math.min(to, within.to),
    })),
  );

/** The parts of the periods that none of the others covers. */
export function subtractPeriods(periods: readonly Period[], others: readonly Period[]): Period[] {
  let rest = unitePeriods(periods);
  for (const other of unitePeriods(others))
    rest = rest.flatMap(({ from, to }) =>
      unitePeriods([
        { from, to: Math.min(to, other.from) },
        { from: Math.max(from, other.to), to },
      ]),
    );
  return rest;
}

/** The total length of periods that do not overlap. */
export const lengthOf = (periods: readonly Period[]): number =>
  periods.reduce((sum, { from, to }) => sum + to - from, 0);
