import { addDoubt, type QuestionDraft } from './draft.ts';
import { cellsOf, isTableLine, keyPairs } from './keys.ts';
import { PART_NUMBERS } from './patterns.ts';

const repeatedLoss = (number: number) =>
  `Номер ${number % PART_NUMBERS} в файле не один: вариант мог стать вопросом, а ответ достаться другому. Проверьте вопрос или обозначьте варианты буквами`;

/** Whether the cells are consecutive numbers of questions; with keys in the next column they are not. */
const areNumbers = (cells: readonly string[]): boolean =>
  cells.length > 1 &&
  cells.every((cell, at) => /^\d{1,4}$/.test(cell) && Number(cell) === Number(cells[0]) + at);

/** Tables of answers, each for one part of a test; '' for a test without parts. */
export class AnswerTables {
  private readonly tables = new Map<string, Map<number, string>>();
  /** The row of numbers that belongs to the keys in the next row. */
  private numbers: readonly number[] = [];
  /** Whether a number came again: the table covers several parts, which have no names. */
  private isRepeated = false;

  add(section: string, pairs: readonly { number: number; key: string }[]): void {
    const table = this.tables.get(section) ?? new Map<number, string>();
    this.tables.set(section, table);
    for (const { number, key } of pairs) {
      if (table.has(number)) this.isRepeated = true;
      else table.set(number, key);
    }
  }

  /**
   * Whether the line belongs to a table: pairs, or a row of numbers above a row of keys.
   * @param next the next line
   */
  takeRow(section: string, text: string, next: string): boolean {
    if (isTableLine(text)) return true;
    const cells = cellsOf(text);
    if (this.numbers.length > 0 && cells.length === this.numbers.length) {
      this.add(
        section,
        this.numbers.map((number, at) => ({ number, key: cells[at] ?? '' })),
      );
      this.numbers = [];
      return true;
    }
    if (areNumbers(cells) && (cells.length > 2 || /^\D+$/.test(cellsOf(next)[0] ?? '1'))) {
      this.numbers = cells.map(Number);
      return true;
    }
    const pairs = keyPairs(text);
    this.add(section, pairs);
    return pairs.length > 0 || text.trim() === '';
  }

  /**
   * Gives the questions their answers, by part and number. Questions without numbers are counted if the table has the
   * same number of entries. A number that occurs twice may be an option's, which is reported.
   */
  giveTo(drafts: readonly QuestionDraft[]): void {
    const all = [...this.tables.values()].filter((table) => table.size > 0);
    const isCounted =
      drafts.every(({ number }) => number === null) && all[0]?.size === drafts.length;
    // «1-б» for «В1», or the reverse, if there is one part of an examination.
    const parts = (numbers: Iterable<number>) =>
      new Set([...numbers].map((number) => Math.floor(number / PART_NUMBERS))).size;
    const isOnePart =
      parts(drafts.map(({ number }) => number ?? 0)) === 1 && parts(all[0]?.keys() ?? []) === 1;
    const plain = new Map([...(all[0] ?? [])].map(([number, key]) => [number % PART_NUMBERS, key]));
    const nameOf = ({ section, number }: QuestionDraft) => `${section} ${number}`;
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
        (isOnePart ? plain.get(number % PART_NUMBERS) : undefined);
      const isMany = (name: number | string) => (times.get(name) ?? 0) > 1;
      // The part of a single table is unknown.
      const isOfOther = named !== undefined && (own === undefined || all.length === 1);
      const isTwice =
        draft.number !== null && (isMany(nameOf(draft)) || (isOfOther && isMany(number)));
      const isSure = draft.key !== null || (draft.options.length > 1 && named === undefined);
      draft.key ??= named ?? null;
      if (!isSure && (isTwice || (this.isRepeated && named !== undefined)))
        addDoubt(draft, repeatedLoss(number));
    }
  }
}
