import type { Draft } from './draft.ts';
import { cellsOf, isTableLine, keyPairs } from './patterns.ts';

const repeatedLoss = (number: number) =>
  `Номер ${number % 1000} в файле не один: вариант мог стать вопросом, а ответ достаться другому. Проверьте вопрос или обозначьте варианты буквами`;

/** Tables of answers, each of one part of a test; '' for a test without parts. */
export class AnswerTables {
  private readonly tables = new Map<string, Map<number, string>>();
  /** The row of numbers whose keys are in the next row. */
  private numbers: readonly number[] = [];
  /** A number came again: the table is of several parts, which nothing names. */
  private isRepeated = false;

  add(section: string, pairs: readonly { number: number; key: string }[]): void {
    const table = this.tables.get(section) ?? new Map<number, string>();
    this.tables.set(section, table);
    for (const { number, key } of pairs) {
      this.isRepeated ||= table.has(number);
      table.set(number, key);
    }
  }

  /** Whether the line is one of a table: pairs, or a row of numbers above a row of keys. */
  takeRow(section: string, text: string): boolean {
    const cells = cellsOf(text);
    if (this.numbers.length > 0 && cells.length === this.numbers.length) {
      this.add(
        section,
        this.numbers.map((number, at) => ({ number, key: cells[at] ?? '' })),
      );
      this.numbers = [];
      return true;
    }
    if (cells.length > 1 && cells.every((cell) => /^\d{1,4}$/.test(cell))) {
      this.numbers = cells.map(Number);
      return true;
    }
    const pairs = keyPairs(text);
    this.add(section, pairs);
    return pairs.length > 0 || text.trim() === '' || isTableLine(text);
  }

  /**
   * Gives the questions their answers, by part and number; questions without numbers are counted where the table has
   * as many. A number that stands twice may be that of an option: told.
   */
  giveTo(drafts: readonly Draft[]): void {
    const all = [...this.tables.values()].filter((table) => table.size > 0);
    const isCounted =
      drafts.every(({ number }) => number === null) && all[0]?.size === drafts.length;
    const isOnePart =
      new Set(drafts.map(({ number }) => Math.floor((number ?? 0) / 1000))).size === 1;
    const nameOf = ({ section, number }: Draft) => `${section} ${number}`;
    const times = new Map<number | string | null, number>();
    for (const draft of drafts)
      for (const name of [draft.number, nameOf(draft)]) times.set(name, (times.get(name) ?? 0) + 1);
    for (const [at, draft] of drafts.entries()) {
      const number = draft.number ?? (isCounted ? at + 1 : null);
      if (number === null) continue;
      const own = this.tables.get(draft.section ?? '')?.get(number);
      const named =
        own ??
        all.find((table) => table.has(number))?.get(number) ??
        // «1-б» for «В1», where all questions are of one part of an examination.
        (isOnePart ? all[0]?.get(number % 1000) : undefined);
      const isTwice =
        draft.number !== null && (times.get(own === undefined ? number : nameOf(draft)) ?? 0) > 1;
      const isSure = draft.options.length > 1 && (draft.key !== null || named === undefined);
      draft.key ??= named ?? null;
      if (!isSure && (isTwice || (this.isRepeated && named !== undefined)))
        draft.doubt = repeatedLoss(number);
    }
  }
}
