import type { Gap } from '#contract/questions.ts';
import { parseNumber } from '#domain/normalise.ts';
import { plainToMarkdown } from '#interchange/html/to-markdown.ts';
import { lookOf, plainXhtml, texInText } from '#interchange/html/to-xhtml.ts';
import { innerText, parseHtml } from '#interchange/html/tree.ts';
import { withTypedTags } from '#interchange/html/typed-tags.ts';
import { reportGapWord, type ChoiceGap, type TypedGap } from '#interchange/items/gaps.ts';
import { gapMark } from '#domain/format-gaps.ts';

/**
 * Moodle's embedded answers: `{2:SHORTANSWER:=Rome#Yes~%50%Roma~*#No}` within a text in HTML
 * (`qtype_multianswer_extract_question`).
 */

interface Answer {
  /** From −1 to 1. */
  readonly share: number;
  readonly text: string;
  readonly feedback: string;
}

export interface ReadingGaps {
  readonly newId: () => string;
  readonly loss: (line: string) => void;
}

/** Why a text with embedded answers cannot be imported, in Russian. */
export class ClozeProblem extends Error {
  override readonly name = 'ClozeProblem';
}

const FIELD = /\{(\d{0,9}):([A-Z]{2,15}(?:_[A-Z]{1,2})?):((?:\\[\s\S]|[^\\}]){0,5000})\}/g;
/** A field that `FIELD` did not match, with its key in it. */
const LEFT_OVER = /\{\d{0,9}:[A-Z]{2,15}(?:_[A-Z]{1,2})?:/;
const SHORT = /^(?:SHORTANSWER|SA|MW)$/;
const SHORT_EXACT = /^(?:SHORTANSWER_C|SAC|MWC)$/;
const NUMERICAL = /^(?:NUMERICAL|NM)$/;
const CHOICE = /^(?:MULTICHOICE(?:_(?:V|H|S|VS|HS))?|MC[VH]?S?)$/;
const SEVERAL = /^(?:MULTIRESPONSE(?:_(?:H|S|HS))?|MRH?S?)$/;
const MARKUP = /<(?!\/?(?:p|br|span|div)\b)[a-z]/i;

const unescaped = (text: string) => text.replaceAll(/\\([\\}#~/"])/g, '$1');

/** Text without markup, which a select list and a field cannot show. */
function plain(given: string, { loss }: ReadingGaps): string {
  const html = withTypedTags(unescaped(given), loss);
  if (MARKUP.test(html)) loss('Оформление вариантов внутри пропусков не переносится');
  reportGapWord(given, loss);
  const source = html.replaceAll(/<br\s{0,9}\/?>|<\/(?:p|div)>/gi, ' ');
  const tree = /[<&]/.test(source) ? parseHtml(source) : null;
  return (tree ? innerText(tree) : source).replaceAll(/\s+/g, ' ').trim();
}

const percent = (text: string) => Math.round(Number(text.replace(',', '.')) * 1e5) / 1e7;

function answersOf(inside: string, reading: ReadingGaps): Answer[] {
  return inside
    .split(/(?<!\\)~/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const worth = /^\s*(=|%(-?\d{1,3}(?:[.,]\d{0,30})?)%)?([\s\S]*)$/.exec(part);
      const [, sign = '', share = '', rest = ''] = worth ?? [];
      // «&#039;» is a character, not feedback.
      const [text = '', ...feedback] = rest.split(/(?<![\\&])#/);
      return {
        share: sign === '=' ? 1 : share === '' ? 0 : percent(share),
        text: plain(text, reading),
        feedback: plainToMarkdown(plain(feedback.join('#'), reading), { inline: false }),
      };
    });
}

const feedbackField = (feedback: string) => (feedback === '' ? {} : { feedback });

function choiceGap(
  { gapId, weight }: Pick<Gap, 'gapId' | 'weight'>,
  answers: readonly Answer[],
  { newId, loss }: ReadingGaps,
): ChoiceGap {
  const best = Math.max(0, ...answers.map(({ share }) => share));
  if (best === 0) loss(`Пропуск ${gapId}: верный вариант не отмечен`);
  if (answers.some(({ share }) => share !== 0 && share !== best) || (best > 0 && best < 1))
    loss('Доли баллов за варианты внутри пропусков не переносятся: баллы даёт только верный');
  const options = answers.map(({ text, share, feedback }) => ({
    optionId: newId(),
    text,
    isRight: best > 0 && share === best,
    ...feedbackField(feedback),
  }));
  return { gapId, weight, input: 'choice', options };
}

/** Typed answers. One that only matches all wrong answers has no counterpart. */
function given(answers: readonly Answer[], { loss }: ReadingGaps): readonly Answer[] {
  const some = answers.filter(({ text }) => text !== '*');
  if (some.length < answers.length && answers.some(({ text, share }) => text === '*' && share > 0))
    loss('Балл за любой другой ответ в пропуске не переносится');
  if (answers.some(({ text, feedback }) => text === '*' && feedback !== ''))
    loss('Отзывы на прочие ответы в пропусках не переносятся');
  if (some.some(({ share }) => share < 0)) loss('Штрафы внутри пропусков не переносятся');
  return some;
}

function shortGap(
  { gapId, weight }: Pick<Gap, 'gapId' | 'weight'>,
  answers: readonly Answer[],
  reading: ReadingGaps,
): TypedGap {
  const accepted = given(answers, reading).flatMap(({ text, share, feedback }) => {
    if (/(?<!\\)\*/.test(text)) {
      reading.loss(`Пропуск ${gapId}: ответ со звёздочкой «${text.slice(0, 60)}» не перенесён`);
      return [];
    }
    const literal = text.replaceAll(String.raw`\*`, '*');
    return [{ text: literal, share: Math.max(0, share), ...feedbackField(feedback) }];
  });
  return { gapId, weight, input: 'line', accepted, tolerance: 0 };
}

function numberGap(
  { gapId, weight }: Pick<Gap, 'gapId' | 'weight'>,
  answers: readonly Answer[],
  reading: ReadingGaps,
): TypedGap {
  const accepted = given(answers, reading).flatMap(({ text, share, feedback }) => {
    const [number = '', within = '0'] = text.split(':').map((part) => part.trim());
    const tolerance = parseNumber(within);
    if (parseNumber(number) === null || tolerance === null || text.split(':').length > 2) {
      reading.loss(`Пропуск ${gapId}: ответ «${text.slice(0, 60)}» – не число, он не перенесён`);
      return [];
    }
    return [
      {
        text: number,
        share: Math.max(0, share),
        tolerance: Math.abs(tolerance),
        ...feedbackField(feedback),
      },
    ];
  });
  const common = accepted[0]?.tolerance ?? 0;
  return {
    gapId,
    weight,
    input: 'number',
    accepted: accepted.map(({ tolerance, ...answer }) =>
      tolerance === common ? answer : { ...answer, tolerance },
    ),
    tolerance: common,
  };
}

function gapOf(
  base: Pick<Gap, 'gapId' | 'weight'>,
  type: string,
  answers: readonly Answer[],
  reading: ReadingGaps,
): Gap {
  if (CHOICE.test(type)) return choiceGap(base, answers, reading);
  if (NUMERICAL.test(type)) return numberGap(base, answers, reading);
  if (SHORT_EXACT.test(type)) reading.loss('Заглавные и строчные буквы здесь не различаются');
  if (SHORT.test(type) || SHORT_EXACT.test(type)) return shortGap(base, answers, reading);
  if (SEVERAL.test(type)) {
    if (answers.filter(({ share }) => share > 0).length > 1)
      throw new ClozeProblem(
        'Несколько верных вариантов в одном пропуске. Разделите на отдельные вопросы',
      );
    return choiceGap(base, answers, reading);
  }
  throw new ClozeProblem(`Пропуски типа «${type.slice(0, 40)}» здесь не читаются`);
}

/**
 * The gaps of a text, and the text in HTML with marks in their positions.
 * @throws {ClozeProblem}
 */
export function readCloze(
  html: string,
  reading: ReadingGaps,
): { readonly html: string; readonly gaps: Gap[] } {
  const gaps: Gap[] = [];
  const marked = html.replaceAll(FIELD, (_, weight: string, type: string, inside: string) => {
    const gapId = String(gaps.length + 1);
    const given = weight === '' ? 1 : Number(weight);
    const own = Math.min(100, Math.max(1, given));
    if (own !== given) reading.loss(`Пропуск ${gapId}: вес ${given} стал весом ${own}`);
    gaps.push(gapOf({ gapId, weight: own }, type, answersOf(inside, reading), reading));
    return gapMark(gapId);
  });
  if (LEFT_OVER.test(marked))
    throw new ClozeProblem('Поле в тексте не читается: оно слишком длинное или не закрыто');
  return { html: marked, gaps };
}

const BLOCK = { inline: false };

/**
 * Moodle removes a backslash only before «}» and «#», and joins the text after a backslash or an ampersand to the text
 * before it. So all its control characters are written as character references, which it decodes.
 */
const escaped = (text: string) =>
  text.replaceAll(/[&<>\\{}#~]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const shareSign = (share: number) =>
  share === 1 ? '=' : share === 0 ? '' : `%${Math.round(share * 1e7) / 1e5}%`;

/** A gap as Moodle's embedded answer. */
export function writtenGap(gap: Gap, loss: (line: string) => void): string {
  const escape = (text: string) => {
    if (/\\[#}]/.test(text)) loss('обратная косая черта перед «#» и «}» в пропуске пропадёт');
    return escaped(text);
  };
  const feedback = (words: string | undefined) => {
    if (!words) return '';
    const said = plainXhtml(words, texInText);
    const back = plainToMarkdown(said, BLOCK);
    if (lookOf(back, BLOCK) !== lookOf(words, BLOCK))
      loss('оформление отзывов внутри пропусков не переносится');
    return `#${escape(said)}`;
  };
  if (gap.input === 'choice') {
    const options = gap.options.map(
      (option) => `${option.isRight ? '=' : ''}${escape(option.text)}${feedback(option.feedback)}`,
    );
    return `{${gap.weight}:MULTICHOICE:${options.join('~')}}`;
  }
  const isNumeric =
    gap.input === 'number' && gap.accepted.every(({ text }) => parseNumber(text) !== null);
  const tolerances = gap.accepted.map(({ tolerance = gap.tolerance }) => tolerance);
  if (!isNumeric) {
    if (gap.input === 'number') loss('пропуск для числа станет пропуском для слова');
    if (tolerances.some((one) => one > 0)) loss('допуск не переносится: ответы – не числа');
  }
  const answers = gap.accepted.map((answer, index) => {
    const text = isNumeric
      ? `${parseNumber(answer.text)}:${tolerances[index]}`
      : escape(answer.text).replaceAll('*', String.raw`\*`);
    return `${shareSign(answer.share)}${text}${feedback(answer.feedback)}`;
  });
  return `{${gap.weight}:${isNumeric ? 'NUMERICAL' : 'SHORTANSWER'}:${answers.join('~')}}`;
}
