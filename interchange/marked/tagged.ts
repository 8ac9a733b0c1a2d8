import { QUESTIONS_PER_FILE } from '#contract/limits.ts';
import { cutLine, plainOf, textLine, type Line } from './line.ts';
import type { QuestionDraft } from './draft.ts';
import { VARIANT_TAG } from './patterns.ts';
import type { Recognised } from './recognise.ts';

/**
 * Two notations that mark the parts of a question: that of «АСТ-Тест» (`I:`, `S:`, `+:`, `-:`, `L1:`, `R1:` at the
 * beginning of a line) and that of `<question>` and `<variant>`, where the first variant is the right one.
 */
type Part = 'question' | 'more' | 'right' | 'wrong' | 'left' | 'other' | 'order' | 'topic';

interface Piece {
  readonly part: Part | null;
  /** The number of a side of a pair, or of a position in an order. */
  readonly number: string;
  readonly line: Line;
}

const AST = /^\s*(?:(I|S|Q|[+-]|V\d)|([LR])?(\d{1,2})):(?!\d)/;
const TAG = /<(\/?(?:question|variant(?:_?(?:right|correct))?))\d{0,4}>/gi;
const FIRST_IS_RIGHT =
  'Верным принят первый вариант, как принято в файлах с <question> и <variant>, и варианты перемешиваются: проверьте';
const IMAGE = /<img\b/i;
const IMAGE_LOSS =
  'Рисунок лежит не в файле, его тег остался текстом. Добавьте рисунок в редакторе';
const MIXED =
  'В вопросе смешаны варианты, пары и порядок, или номер повторяется: перенесено не всё, проверьте';

/** An end tag begins nothing. */
const TAG_PARTS: Readonly<Record<string, Part>> = {
  question: 'question',
  variantright: 'right',
  variant: 'wrong',
};

const AST_PARTS: Readonly<Record<string, Part>> = {
  S: 'more',
  Q: 'more',
  '+': 'right',
  '-': 'wrong',
  L: 'left',
  R: 'other',
};

function astPiece(line: Line): Piece {
  const [mark, sign = '', side = '', number = ''] = AST.exec(plainOf(line)) ?? [];
  if (mark === undefined) return { part: null, number: '', line };
  const rest = cutLine(line, mark.length);
  if (sign === 'I') return { part: 'question', number: '', line: rest };
  if (sign.startsWith('V')) return { part: 'topic', number: '', line: rest };
  const part = AST_PARTS[sign || side] ?? 'order';
  return { part, number, line: rest };
}

function tagPieces(line: Line): Piece[] {
  const text = plainOf(line);
  const tags = [...text.matchAll(TAG)];
  const starts = tags.map(({ index }) => index);
  const before = cutLine(line, 0, text.length - (starts[0] ?? text.length));
  return [
    ...(plainOf(before).trim() === '' ? [] : [{ part: null, number: '', line: before }]),
    ...tags.map(([tag, name = ''], at): Piece => {
      const end = starts[at + 1] ?? text.length;
      return {
        part: TAG_PARTS[name.toLowerCase().replace(/_?(?:right|correct)$/, 'right')] ?? null,
        number: '',
        line: cutLine(line, (starts[at] ?? 0) + tag.length, text.length - end),
      };
    }),
  ];
}

const hasText = (line: Line) => plainOf(line).trim() !== '' || line.sides !== undefined;

/** A question under construction. */
class TaggedQuestion {
  readonly text: Line[] = [];
  readonly options: { isMarked: boolean; lines: Line[] }[] = [];
  readonly left = new Map<string, Line>();
  readonly other = new Map<string, Line>();
  readonly order = new Map<string, Line[]>();
  /** The part that a line without a mark continues. */
  last: Line[] = this.text;
  private isMixed = false;

  private readonly place: string;
  private readonly isAst: boolean;

  constructor(place: string, isAst: boolean) {
    this.place = place;
    this.isAst = isAst;
  }

  hasAnswers(): boolean {
    return this.options.length > 0 || this.left.size > 0 || this.order.size > 0;
  }

  take({ part, number, line }: Piece): void {
    const numbered = { left: this.left, other: this.other, order: this.order };
    if (part === 'left' || part === 'other' || part === 'order')
      this.isMixed ||= numbered[part].has(number);
    if (part === 'right' || part === 'wrong') {
      this.last = [line];
      this.options.push({ isMarked: part === 'right', lines: this.last });
    } else if (part === 'left') this.left.set(number, line);
    else if (part === 'other') this.other.set(number, line);
    else if (part === 'order') {
      this.last = [line];
      this.order.set(number, this.last);
    } else if (hasText(line)) this.last.push(line);
  }

  draft(): QuestionDraft {
    const { place, options } = this;
    const kinds = [options.length, this.left.size + this.other.size, this.order.size];
    const isMixed = this.isMixed || kinds.filter((size) => size > 0).length > 1;
    const [stem, ...more] = this.text;
    const lines = [...this.text, ...options.flatMap((option) => option.lines)];
    const losses = [
      ...(isMixed ? [MIXED] : []),
      ...(lines.some((line) => IMAGE.test(plainOf(line))) ? [IMAGE_LOSS] : []),
    ];
    const text = stem ? [{ ...stem, losses: [...stem.losses, ...losses] }, ...more] : this.text;
    const base = { place, number: null, text, explanation: [] };
    if (this.order.size > 0 && options.length === 0) {
      const byNumber = [...this.order].sort(([a], [b]) => Number(a) - Number(b));
      return { ...base, options: [], key: null, order: byNumber.map(([, lines]) => lines) };
    }
    if (this.left.size > 0 && options.length === 0) {
      const numbers = [...new Set([...this.left.keys(), ...this.other.keys()])];
      const nothing = textLine(place, '');
      const pairs = numbers.map((number) => ({
        left: this.left.get(number) ?? nothing,
        right: this.other.get(number) ?? nothing,
      }));
      return { ...base, options: [], key: null, pairs };
    }
    const isOpen = this.isAst && options.length > 0 && options.every(({ isMarked }) => isMarked);
    if (isOpen) {
      const key = options.map(({ lines }) => lines.map(plainOf).join(' ').trim()).join(';');
      return { ...base, options: [], key };
    }
    const isSilent = !this.isAst && !options.some(({ isMarked }) => isMarked);
    return {
      ...base,
      isTagged: true,
      isFirstRight: isSilent,
      options: options.map(({ isMarked, lines }, at) => {
        const [first = textLine(place, ''), ...rest] = lines;
        const isFirst = isSilent && at === 0;
        const lead = isFirst ? { ...first, losses: [...first.losses, FIRST_IS_RIGHT] } : first;
        return { letter: '', isMarked: isMarked || isFirst, lines: [lead, ...rest] };
      }),
      key: null,
    };
  }
}

/** The questions of a document in one of the two notations; null: it is in neither. */
export function readTagged(lines: readonly Line[]): Recognised | null {
  const texts = lines.map(plainOf);
  const isAst =
    texts.some((text) => /^\s*S:/.test(text)) &&
    texts.some((text) => /^\s*(?:[+-]|L\d{1,2}|\d{1,2}):(?!\d)/.test(text));
  const isTags =
    texts.some((text) => /<question\d{0,4}>/i.test(text)) &&
    texts.some((text) => VARIANT_TAG.test(text));
  if (!isAst && !isTags) return null;
  const questions: TaggedQuestion[] = [];
  const skipped: Line[] = [];
  for (const line of lines) {
    for (const piece of isTags ? tagPieces(line) : [astPiece(line)]) {
      const current = questions.at(-1);
      // «I:» may be missing: a stem after answers begins a question, too.
      const isNew =
        piece.part === 'question' ||
        (piece.part === 'more' && (current === undefined || current.hasAnswers()));
      if (isNew) {
        if (questions.length > QUESTIONS_PER_FILE) break;
        const question = new TaggedQuestion(line.place, !isTags);
        questions.push(question);
        // After «I:» comes a number or a name within the bank.
        if (isTags || piece.part === 'more') question.take(piece);
      } else if (current && piece.part !== 'topic') current.take(piece);
      else if (hasText(piece.line)) skipped.push(piece.line);
    }
  }
  const drafts = questions.map((question) => question.draft());
  return { title: null, drafts: drafts.filter(({ text }) => text.length > 0), skipped };
}
