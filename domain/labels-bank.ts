import { formatCount, formatPercent, type Forms } from './format.ts';

const IN_TESTS: Forms = ['тесте', 'тестах', 'тестах'];

/** How many tests have a question: «в 3 тестах». */
export function formatUses(count: number): string {
  return count === 0 ? 'не в тестах' : `в ${formatCount(count, IN_TESTS)}`;
}

/** The mean share of points earned with a question, 0 to 1: «решают 72 %»; null: nobody answered. */
export function formatFacility(facility: number | null): string {
  return facility === null ? 'ещё не решали' : `решают ${formatPercent(facility)}`;
}
