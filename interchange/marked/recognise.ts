import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import { AnswerTables } from './answer-tables.ts';
import { addDoubt, type QuestionDraft } from './draft.ts';
import { doubtUnlike } from './doubts.ts';
import { cutLine, plainOf, tableRows, textAfter, type Line } from './line.ts';
import { keyLength, keyOf, keyPairs, keysHead } from './keys.ts';
import { listsOf, pairsOf } from './lettered-pairs.ts';
import {
  AS_OPTION,
  CAPTION,
  explanationLength,
  itemNumber,
  MATCHING,
  numbered,
  optionMark,
  rightMarks,
  sectionOf,
  signedNumber,
  type NumberStyle,
} from './patterns.ts';

export interface Recognised {
  readonly title: string | null;
  readonly drafts: readonly QuestionDraft[];
  readonly skipped: readonly Line[];
}

const isEmpty = (line: Line) => plainOf(line).trim() === '' && line.sides === undefined;

/** Numberings that look like other words: a single such line does not count. */
const RARE: ReadonlySet<NumberStyle> = new Set(['#', 'part', 'zeros']);

/** Text above a list of questions rather than of options. */
const INSTRUCTION =
  /^\s*(?:ответьте|закончите|вставьте|переведите|решите|выполните|запишите|напишите|допишите|прочитайте|дополните|вычислите)\s.*:\s*$/i;

/** Whether numbers only count options, from 1 again below each unnumbered stem. */
function countsOptions(texts: readonly string[], style: NumberStyle): boolean {
  const filled = texts.filter((text) => text.trim() !== '');
  const numbers = filled.map((text) => {
    const typed = numbered(text);
    return typed?.style === style ? typed.number : null;
  });
  const stems = numbers.flatMap((number, at) => (number === 1 ? [filled[at - 1] ?? ''] : []));
  return (
    stems.length > 1 &&
    stems.every(
      (stem) => /[?:…]\s*$|_{2}/.test(stem) && sectionOf(stem) === null && !INSTRUCTION.test(stem),
    ) &&
    numbers.every((number, at) =>
      number === null
        ? true
        : number === 1
          ? numbers[at - 1] === null && numbers[at + 1] === 2
          : numbers[at - 1] === number - 1,
    )
  );
}

/** The numbering of a document's questions, by its first number; null: none. */
function styleOf(lines: readonly Line[]): { style: NumberStyle; list: string } | null {
  const texts = lines.map(plainOf);
  const typed = texts.map(numbered);
  const counts = new Map<NumberStyle, number>();
  for (const one of typed) if (one) counts.set(one.style, (counts.get(one.style) ?? 0) + 1);
  const dotted = typed.filter((one) => one?.style === '.');
  const isDottedWhole = dotted.every(
    (one, at) => (one?.number ?? 0) > (dotted[at - 1]?.number ?? 0),
  );
  for (const [at, { numbering }] of lines.entries()) {
    if (numbering?.mark === 'number') return { style: 'list', list: numbering.list };
    const own = typed[at];
    if (!own) continue;
    const count = counts.get(own.style) ?? 0;
    if (RARE.has(own.style) && (count < 2 || (isDottedWhole && dotted.length >= count))) continue;
    // «Задание 1» alone on its line, above numbered questions, is a heading.
    const isHeading =
      own.style === 'word' &&
      (texts[at] ?? '').length === own.length &&
      numbered(textAfter(texts, at))?.style === '.';
    if (isHeading) continue;
    return countsOptions(texts, own.style) ? null : { style: own.style, list: '' };
  }
  return null;
}

/**
 * The lines of questions that are numbered like their options, «201. … 1. … 2. …»: each question is followed by the
 * number 1, and nothing else is. Null: the numbers have another pattern.
 */
function nestedHeads(lines: readonly Line[], style: NumberStyle | undefined): Set<Line> | null {
  const typed = lines.flatMap((line) => {
    const own = numbered(plainOf(line));
    return own && own.style === style ? [{ line, number: own.number }] : [];
  });
  const heads = typed.filter((_, at) => typed[at + 1]?.number === 1);
  const isHead = new Set(heads.map(({ line }) => line));
  const isNested =
    heads.length > 1 &&
    isHead.has(typed[0]?.line as Line) &&
    heads.every(({ number }, at) => at === 0 || number > (heads[at - 1]?.number ?? 0)) &&
    typed.every(
      ({ line, number }, at) =>
        isHead.has(line) ||
        number === (isHead.has(typed[at - 1]?.line as Line) ? 1 : (typed[at - 1]?.number ?? 0) + 1),
    );
  return isNested ? isHead : null;
}

/** More options than an alphabet has letters. */
const MAX_LETTERS = 40;

const OF_ALL =
  'Ответов в строке столько, сколько вопросов: проверьте, не ко всему ли тесту она относится';

const SECOND_KEY =
  'В вопросе две строки с ответом или пояснением: проверьте, не слился ли он со следующим';
const SPLIT_TEXT = 'В тексте вопроса пустая строка: проверьте, не слились ли два вопроса';

const HEADING_CHARACTERS = 60;

const isHeading = (line: Line): boolean => {
  const text = plainOf(line);
  return text.length <= HEADING_CHARACTERS && sectionOf(text) !== null;
};

/** Whether a question follows a table of answers: another test begins. */
const isQuestion = (text: string, next: string): boolean =>
  numbered(text) !== null && (text.includes('?') || (optionMark(next, 0)?.letter ?? '') !== '');

const isKeyed = ({ key, options }: QuestionDraft) =>
  key !== null ||
  options.some(
    ({ isMarked, lines: [first] }) => isMarked || (first && rightMarks(plainOf(first)) !== null),
  );

class Recogniser {
  readonly drafts: QuestionDraft[] = [];
  readonly skipped: Line[] = [];
  private readonly tables = new AnswerTables();
  /** The current part of the test, and the parts that have questions. */
  private section = '';
  private readonly sections = new Set<string>();
  private readonly before: Line[] = [];
  private readonly style: ReturnType<typeof styleOf>;
  private readonly heads: ReturnType<typeof nestedHeads>;
  private draft: QuestionDraft | null = null;
  private hasGap = false;
  private isExplaining = false;
  /** Whether the line before was skipped, so that its continuation is skipped, too. */
  private isSkipping = false;
  private areKeys = false;
  /** Whether «Ответы:» is above the options of each question; above a table of answers it occurs once. */
  private readonly hasCaptions: boolean;

  constructor(lines: readonly Line[]) {
    this.style = styleOf(lines);
    this.heads = nestedHeads(lines, this.style?.style);
    const texts = lines.map(plainOf);
    this.hasCaptions = texts.filter((text) => keysHead(text)?.pairs.length === 0).length > 1;
    for (const [at, line] of lines.entries()) {
      if (this.drafts.length > QUESTIONS_PER_FILE) break;
      this.take(line, textAfter(texts, at));
    }
    this.tables.giveTo(this.drafts);
  }

  get title(): string | null {
    const title = this.before[0];
    const text = title === undefined ? '' : plainOf(title).replace(/^#{1,6}\s/, '');
    return text.trim().slice(0, 200) || null;
  }

  get linesBefore(): readonly Line[] {
    return this.before.slice(1);
  }

  private begin(line: Line, number: number | null): void {
    this.draft = {
      place: line.place,
      number,
      section: this.section,
      text: [line],
      options: [],
      key: null,
      explanation: [],
    };
    this.drafts.push(this.draft);
    this.sections.add(this.section);
    this.isExplaining = false;
    this.isSkipping = false;
  }

  /** Whether the line begins a question; if so it is consumed. */
  private asQuestion(line: Line): boolean {
    const { numbering } = line;
    if (this.style?.style === 'list') {
      if (numbering?.mark !== 'number' || numbering.list !== this.style.list) return false;
      if (numbering.level > 0) return false;
      this.begin(line, this.drafts.length + 1);
      return true;
    }
    const typed = numbered(plainOf(line));
    if (!typed || typed.style !== this.style?.style) return false;
    if (this.heads !== null && !this.heads.has(line)) return false;
    this.begin(cutLine(line, typed.length), typed.number);
    return true;
  }

  private asOption(line: Line, draft: QuestionDraft): boolean {
    const add = (letter: string, length: number, isMarked: boolean, isStarred = false) => {
      draft.options.push({ letter, isMarked, isStarred, lines: [cutLine(line, length)] });
      this.isExplaining = false;
      this.isSkipping = false;
      return true;
    };
    const text = plainOf(line);
    const signed = signedNumber(text);
    if (signed?.number === draft.options.length + 1)
      return add(String(signed.number), signed.length, true);
    // The first letters show the alphabet; a list of thousands has no letters.
    const before = draft.options.slice(0, MAX_LETTERS).map(({ letter }) => letter);
    const mark = optionMark(text, draft.options.length, before);
    const isBulleted = draft.options[0]?.letter === '';
    // A list within an explanation.
    if (this.isExplaining && mark?.letter === '') return false;
    // Letters and bullets are not mixed in one question.
    if (mark && (draft.options.length === 0 || (mark.letter === '') === isBulleted)) {
      return add(mark.letter, mark.length, mark.isRight, mark.isStar);
    }
    if (line.numbering !== null)
      return add(mark?.letter ?? '', mark?.length ?? 0, mark?.isRight ?? false);
    const typed = itemNumber(text);
    if (typed?.number === draft.options.length + 1) {
      return add(String(typed.number), typed.length, false);
    }
    return false;
  }

  private asksForPairs(): boolean {
    return this.draft?.text.some((line) => MATCHING.test(plainOf(line))) === true;
  }

  /** Whether a key of pairs is right after a table or after two lists, and so does not belong to the whole test. */
  private isKeyOfPairs(rest: string): boolean {
    const { draft } = this;
    if (draft === null) return false;
    if (draft.text.some(({ sides }) => sides !== undefined)) return true;
    const lists = draft.key === null && this.asksForPairs() ? listsOf(draft) : null;
    return (
      lists !== null &&
      pairsOf(rest, lists) !== null &&
      this.drafts.every((one) => one === draft || isKeyed(one))
    );
  }

  /** «Ответы:» above the options of a question, not above a table of answers. */
  private isCaption(next: string): boolean {
    const option = optionMark(next, 0);
    const isFirst = this.hasCaptions && (numbered(next)?.number === 1 || option !== null);
    const { draft } = this;
    // A lettered option below makes it certain.
    const isAbove = isFirst || (option !== null && option.letter !== '');
    return isAbove && draft?.options.length === 0 && draft.key === null;
  }

  private asKey(line: Line, next: string): boolean {
    const text = plainOf(line);
    const section = sectionOf(text);
    const isKnown = section !== null && this.sections.has(section.name);
    if (section !== null) this.section = section.name;
    if (this.areKeys && isQuestion(text, next)) this.areKeys = false;
    if (this.areKeys) {
      const rows = tableRows(line) ?? [section?.rest ?? text];
      const isHead = section?.rest.trim() === '' && keyPairs(next).length > 0;
      const isOfKeys = section === null || isKnown || isHead || keyPairs(section.rest).length > 1;
      const take = (row: string, at: number) =>
        this.tables.takeRow(this.section, row, rows[at + 1] ?? next);
      if (isOfKeys && rows.map(take).includes(true)) return true;
      this.areKeys = false;
    }
    // An item of a list is no heading.
    const head = line.numbering === null ? keysHead(text) : null;
    if (head?.pairs.length === 0 && this.isCaption(next)) return true;
    if (head && !(head.pairs.length > 0 && this.isKeyOfPairs(text.slice(keyLength(text))))) {
      if (head.section !== null) this.section = head.section;
      this.tables.add(this.section, head.pairs);
      this.areKeys = true;
      return true;
    }
    const length = keyLength(text);
    if (length === 0 || this.draft === null) return false;
    // A hint in brackets belongs to a question without options.
    if (/^\s*\(/.test(text) && this.draft.options.length === 0) return false;
    const key = keyOf(text);
    const parts = /^[a-zа-яё]{2,40}$/i.test(key) ? Array.from(key) : key.split(/[\s,;]+/);
    const mayBeOfAll =
      this.drafts.length > 1 &&
      parts.length === this.drafts.length &&
      parts.every((part) => /^[a-zа-яё\d]{1,3}$/i.test(part)) &&
      !this.drafts.some(isKeyed);
    const choices = this.drafts.filter(({ options }) => options.length > 0).length;
    if (mayBeOfAll && choices * 2 > this.drafts.length && /^\s*ключ/i.test(text)) {
      const pairOf = ({ number }: QuestionDraft, at: number) => ({
        number: number ?? at + 1,
        key: parts[at] ?? '',
      });
      this.tables.add(this.section, this.drafts.map(pairOf));
      return true;
    }
    if (mayBeOfAll) addDoubt(this.draft, OF_ALL);
    if (this.draft.key !== null && this.draft.key !== key) addDoubt(this.draft, SECOND_KEY);
    this.draft.key = key;
    return true;
  }

  private take(line: Line, next: string): void {
    if (isEmpty(line)) {
      this.hasGap = true;
      // The losses of a skipped line are still reported.
      if (line.losses.length > 0) (this.draft?.text ?? this.skipped).push(line);
      return;
    }
    const gap = this.hasGap;
    this.hasGap = false;
    if (this.asKey(line, next)) return;
    if (this.asQuestion(line)) return;
    const { draft } = this;
    if (draft?.options.length === 0 && CAPTION.test(plainOf(line))) return;
    if (draft !== null) {
      const length = explanationLength(plainOf(line));
      if (length > 0) {
        if (draft.explanation.length > 0) addDoubt(draft, SECOND_KEY);
        draft.explanation.push(cutLine(line, length));
        this.isExplaining = true;
        return;
      }
      if (this.asOption(line, draft)) return;
    }
    this.continue(line, gap);
  }

  /** Whether a line is an item of the second list of a matching question, after a blank line. */
  private isOtherList(line: Line): boolean {
    return this.asksForPairs() && AS_OPTION.test(plainOf(line));
  }

  private continue(line: Line, gap: boolean): void {
    const { draft } = this;
    if (this.style === null) {
      // Without numbers a line after options or a key begins the next question, unless it continues them.
      const isOver =
        draft !== null &&
        (draft.options.length > 1 || draft.key !== null || (draft.options.length === 1 && gap));
      const goesOn = !gap && /^\s*[\p{Ll}(]/u.test(plainOf(line));
      if (draft === null || (isOver && !goesOn)) this.begin(line, null);
      else if (draft.key !== null) this.skipped.push(line);
      else {
        if (gap && draft.options.length === 0) addDoubt(draft, SPLIT_TEXT);
        (draft.options.at(-1)?.lines ?? draft.text).push(line);
      }
    } else if (draft === null) this.before.push(line);
    else if (isHeading(line)) this.skipped.push(line);
    else if (this.isExplaining && !gap) draft.explanation.push(line);
    else if (draft.options.length === 0 && draft.key === null) draft.text.push(line);
    else if (draft.key === null && ((!gap && !this.isSkipping) || this.isOtherList(line)))
      draft.options.at(-1)?.lines.push(line);
    else {
      this.skipped.push(line);
      this.isSkipping = true;
    }
  }
}

/**
 * Finds questions among lines: numbers, letters, marks, keys. Linear time. A line without a number, an option
 * or a key is no question.
 */
export function recognise(lines: readonly Line[]): Recognised {
  const { title, drafts, skipped, linesBefore } = new Recogniser(lines);
  const isWhole = ({ number, options, key }: QuestionDraft) =>
    number !== null || options.length > 0 || key !== null;
  const questions = drafts.filter(isWhole);
  doubtUnlike(questions);
  return {
    title,
    drafts: questions,
    skipped: [
      ...linesBefore,
      ...drafts.filter((draft) => !isWhole(draft)).flatMap(({ text }) => text),
      ...skipped,
    ],
  };
}
