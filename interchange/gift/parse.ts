import { hideEscapes, showEscapes } from './escapes.ts';
import { gapMark } from '#domain/format-gaps.ts';
import { readRange, type NumberRange } from './numbers.ts';

export type TextFormat = 'moodle' | 'html' | 'markdown' | 'plain';

/** A text with its escapes resolved, still in its own markup. */
export interface GiftText {
  readonly format: TextFormat;
  readonly text: string;
}

export interface GiftChoice {
  readonly isRight: boolean;
  /** Per cent; null: all for a right one, nothing for a wrong one. */
  readonly weight: number | null;
  readonly text: GiftText;
  readonly feedback: GiftText | null;
}

export type GiftAnswer =
  | { readonly kind: 'essay' }
  | {
      readonly kind: 'trueFalse';
      readonly isTrue: boolean;
      readonly feedback: { readonly right: GiftText | null; readonly wrong: GiftText | null };
    }
  | { readonly kind: 'choice'; readonly options: readonly GiftChoice[] }
  | { readonly kind: 'short'; readonly answers: readonly GiftChoice[] }
  | {
      readonly kind: 'numerical';
      readonly answers: readonly (GiftChoice & { readonly range: NumberRange })[];
      /** Whether there is a wildcard for all other answers, which we do not support. */
      readonly hasRest: boolean;
    }
  | {
      readonly kind: 'matching';
      readonly pairs: readonly {
        readonly left: GiftText;
        readonly right: GiftText;
        /** Whether `#` and a text follow. Elsewhere this is feedback; here it is a part of the pair, as in Moodle. */
        readonly hasSign: boolean;
      }[];
    };

/** Several answers. Their positions in the text are marked. */
export interface GiftGaps {
  readonly kind: 'gaps';
  readonly gaps: readonly Extract<GiftAnswer, { kind: 'short' | 'choice' | 'numerical' }>[];
}

export interface GiftQuestion {
  readonly title: string;
  readonly stem: GiftText;
  readonly answer: GiftAnswer | GiftGaps;
  readonly explanation: GiftText | null;
  /** Whether options contain `=` characters that were read as text. */
  readonly hasLooseEquals: boolean;
}

/** A text without an answer, for the questions after it. */
export interface GiftDescription {
  readonly answer: null;
  readonly stem: GiftText;
}

/** Why a block is not a question, in Russian. */
export class GiftProblem extends Error {
  override readonly name = 'GiftProblem';
}

const FORMAT = /^\[(html|moodle|plain|markdown|auto_format)\]/i;

function formatted(raw: string, inherited: TextFormat): GiftText {
  const trimmed = raw.trim();
  const named = FORMAT.exec(trimmed);
  const name = named?.[1]?.toLowerCase() ?? inherited;
  return {
    format: name === 'auto_format' ? 'moodle' : (name as TextFormat),
    text: showEscapes(trimmed.slice(named?.[0].length ?? 0)).trim(),
  };
}

/** Splits at the characters that begin an option. In a multi-line answer `=` counts only at the beginning of a line. */
function optionsOf(
  answer: string,
  signs: '=' | '=~',
): { parts: string[]; hasLooseEquals: boolean } {
  const isOfLines = (answer.match(/^[ \t]*[=~]/gm)?.length ?? 0) > 1;
  const parts: string[] = [];
  let from = 0;
  let hasLooseEquals = false;
  let startsLine = true;
  for (let at = 0; at < answer.length; at += 1) {
    const sign = answer[at] ?? '';
    if (sign === '\n') startsLine = true;
    else if (signs.includes(sign)) {
      if (sign === '~' || startsLine || !isOfLines) {
        parts.push(answer.slice(from, at));
        from = at;
      } else hasLooseEquals = true;
      startsLine = false;
    } else if (sign.trim() !== '') startsLine = false;
  }
  parts.push(answer.slice(from));
  return { parts: parts.filter((part) => part.trim() !== ''), hasLooseEquals };
}

const WEIGHT = /^%(-?\d{1,3}(?:[.,]\d{0,20})?)%/;

function choiceOf(part: string, inherited: TextFormat): GiftChoice {
  const trimmed = part.trim();
  const sign = /^[=~]/.test(trimmed) ? trimmed[0] : '';
  const rest = trimmed.slice(sign?.length ?? 0);
  const weight = WEIGHT.exec(rest.trimStart());
  const [before = '', ...after] = (weight ? rest.trimStart().slice(weight[0].length) : rest).split(
    '#',
  );
  // «~#fff» is a colour; an option without a text is written with a space there.
  const [text, ...feedback] =
    before === '' && after.length > 0 ? [`#${after[0]}`, ...after.slice(1)] : [before, ...after];
  return {
    isRight: sign === '=',
    weight: weight ? Number((weight[1] ?? '').replace(',', '.')) : null,
    text: formatted(text, inherited),
    feedback: feedback.length === 0 ? null : formatted(feedback.join('#'), inherited),
  };
}

function numerical(answer: string, inherited: TextFormat): GiftAnswer {
  const [right = '', ...rest] = answer.slice(1).split('~');
  const parts = optionsOf(right, '=').parts.map((part) =>
    part.trim().startsWith('=') ? part : `=${part}`,
  );
  const choices = parts.map((part) => choiceOf(part, inherited));
  const answers = choices
    .filter(({ text }) => text.text !== '*')
    .map((choice) => {
      const range = readRange(choice.text.text);
      if (range === null) {
        throw new GiftProblem(
          `«${choice.text.text}» — не число. Нужно число, число с допуском «5:0.1» или промежуток «4.9..5.1»`,
        );
      }
      return { ...choice, range };
    });
  if (answers.length === 0) throw new GiftProblem('После знака # нет числа');
  return {
    kind: 'numerical',
    answers,
    hasRest: rest.length > 0 || answers.length < choices.length,
  };
}

function trueFalse(answer: string, inherited: TextFormat): GiftAnswer | null {
  const [word = '', wrong, ...right] = answer.split('#');
  const given = word.trim().toUpperCase();
  if (!['T', 'TRUE', 'F', 'FALSE'].includes(given)) return null;
  return {
    kind: 'trueFalse',
    isTrue: given.startsWith('T'),
    feedback: {
      wrong: wrong === undefined ? null : formatted(wrong, inherited),
      right: right.length === 0 ? null : formatted(right.join('#'), inherited),
    },
  };
}

function pairOf(part: string, inherited: TextFormat) {
  const trimmed = part.trim().replace(/^=/, '');
  const arrow = trimmed.indexOf('->');
  if (arrow < 0) {
    throw new GiftProblem(`В паре «${showEscapes(trimmed).trim()}» нет знака «->»`);
  }
  const right = trimmed.slice(arrow + 2);
  return {
    left: formatted(trimmed.slice(0, arrow), inherited),
    right: formatted(right, inherited),
    hasSign: /#\s*[^\s#]/.test(right),
  };
}

function answerOf(answer: string, inherited: TextFormat): { answer: GiftAnswer; loose: boolean } {
  if (answer === '') return { answer: { kind: 'essay' }, loose: false };
  if (answer.startsWith('#')) return { answer: numerical(answer, inherited), loose: false };
  if (answer.includes('~')) {
    const { parts, hasLooseEquals } = optionsOf(answer.replaceAll(/~[ \t]*=/g, '='), '=~');
    const options = parts.map((part) => choiceOf(part, inherited));
    return { answer: { kind: 'choice', options }, loose: hasLooseEquals };
  }
  if (answer.includes('=') && answer.includes('->')) {
    const { parts, hasLooseEquals } = optionsOf(answer, '=');
    const pairs = parts.map((part) => pairOf(part, inherited));
    return { answer: { kind: 'matching', pairs }, loose: hasLooseEquals };
  }
  const yesNo = trueFalse(answer, inherited);
  if (yesNo !== null) return { answer: yesNo, loose: false };
  const { parts, hasLooseEquals } = optionsOf(answer, '=');
  // The first answer may have no sign.
  const answers = parts.map((part) => ({ ...choiceOf(part, inherited), isRight: true }));
  return { answer: { kind: 'short', answers }, loose: hasLooseEquals };
}

/** An answer at the end of a line, with another question below it and no blank line between. */
const NEXT_QUESTION = /\}[ \t]*\n\s*\d{1,3}[.)]/;
const ANSWER = /\{([^{}]*)\}/;

/** A text with several answers in it, which Moodle’s own reader does not support; null: it is none. */
function gapsOf(body: string): { stem: GiftText; answer: GiftGaps } | null {
  if (NEXT_QUESTION.test(body) || body.includes('####')) return null;
  const pieces = body.split(ANSWER);
  const text = pieces
    .map((piece, index) => (index % 2 === 0 ? piece : gapMark(String((index + 1) / 2))))
    .join('');
  if (/[{}]/.test(text)) return null;
  const stem = formatted(text, 'moodle');
  const gaps = pieces.flatMap((piece, index) => {
    if (index % 2 === 0) return [];
    const { answer } = answerOf(piece.trim(), stem.format);
    return answer.kind === 'short' || answer.kind === 'choice' || answer.kind === 'numerical'
      ? [answer]
      : [];
  });
  return gaps.length < (pieces.length - 1) / 2 ? null : { stem, answer: { kind: 'gaps', gaps } };
}

/**
 * Parses a block of GIFT as a question.
 * @throws {GiftProblem} it is not one
 */
export function parseGift(block: string): GiftQuestion | GiftDescription {
  const hidden = hideEscapes(block);
  const titled = /^::([\s\S]*?)::/.exec(hidden);
  const title = showEscapes(titled?.[1] ?? '').trim();
  // A title without its end is text, as in Moodle.
  const body = (titled ? hidden.slice(titled[0].length) : hidden.replace(/^::/, '')).trim();
  const start = body.indexOf('{');
  const end = body.indexOf('}');
  if (start < 0 && end < 0) return { answer: null, stem: formatted(body, 'moodle') };
  if (start < 0 || (end >= 0 && end < start))
    throw new GiftProblem('Перед «}» нет открывающей скобки «{»');
  if (end < 0) throw new GiftProblem('Нет закрывающей скобки «}»');
  const inside = body.slice(start + 1, end).trim();
  const after = body.slice(end + 1);
  if (/[{}]/.test(after)) {
    const gaps = gapsOf(body);
    if (gaps) return { title, ...gaps, explanation: null, hasLooseEquals: false };
    throw new GiftProblem(
      'Скобки с ответом встречаются дважды. Разделите вопросы пустой строкой, а скобки в тексте пишите как \\{ и \\}',
    );
  }
  const stem = formatted(
    after.trim() === '' ? body.slice(0, start) : `${body.slice(0, start)}_____${after}`,
    'moodle',
  );
  const separator = inside.lastIndexOf('####');
  const { answer, loose } = answerOf(
    (separator < 0 ? inside : inside.slice(0, separator)).trim(),
    stem.format,
  );
  return {
    title,
    stem,
    answer,
    explanation: separator < 0 ? null : formatted(inside.slice(separator + 4), stem.format),
    hasLooseEquals: loose,
  };
}
