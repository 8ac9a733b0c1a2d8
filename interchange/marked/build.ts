import type { Question } from '#contract/questions.ts';
import { parseNumber } from '#domain/normalise.ts';
import { placeOfLetter } from '#interchange/letters.ts';
import type { Tools } from '#interchange/model.ts';
import { cutLine, markdownOf, plainOf, STYLES, stylesOf, type Line } from './line.ts';
import { keyPairs } from './keys.ts';
import { letteredPairs } from './lettered-pairs.ts';
import {
  CODE,
  itemNumber,
  MATCHING,
  optionMark,
  ORDERING,
  pointsMark,
  rightMarks,
  wordsOf,
} from './patterns.ts';
import { doubtsOfLines, doubtsOfOpen } from './doubts.ts';
import type { QuestionDraft, DraftOption } from './draft.ts';

const NO_RIGHT =
  'Верный ответ не отмечен. Отметьте его жирным, подчёркиванием, знаком + или строкой «Ответ: б»';

/** The one option with this text, with stricter comparisons first; −1: none, or several. */
function placeOfText(text: string, texts: readonly string[]): number {
  for (const form of [(one: string) => one.trim(), wordsOf]) {
    const wanted = form(text);
    const found = texts.flatMap((one, at) => (form(one) === wanted ? [at] : []));
    if (found.length > 0) return found.length === 1 ? (found[0] ?? -1) : -1;
  }
  return -1;
}

/** Positions of right options by a key: letters, numbers, or the option's own text. */
function placesOf(key: string, options: readonly DraftOption[]): number[] {
  const plain = key.replace(/[\s.;]+$/, '');
  const letters = options.map(({ letter }, place) => letter || String(place + 1));
  const texts = options.map(({ lines }) => markdownOf(lines));
  const areNumbered = options.every(({ letter }) => /^\d*$/.test(letter));
  const named = placeOfText(key, texts);
  // «Ответ: 12» names the option «12» rather than the twelfth one.
  if (named >= 0 && !areNumbered && /^\d/.test(plain)) return [named];
  const tokens = plain.split(/[\s,;]+|\s+и\s+/).filter((token) => token !== '' && token !== 'и');
  const one = tokens.length === 1 ? tokens[0] : undefined;
  // «абв» is three letters unless an option has that text.
  const parts = one !== undefined && /^[a-zа-яё]{2,6}$/i.test(one) ? Array.from(one) : tokens;
  const placesBy = (names: readonly string[]) => {
    const places = names.map((part) => {
      const name = part.replace(/[.)]$/, '');
      if (/^\d{1,3}$/.test(name))
        return letters.includes(name) ? letters.indexOf(name) : Number(name) - 1;
      return name.length === 1 ? placeOfLetter(name, letters) : -1;
    });
    const isWhole = places.every((place) => place >= 0 && place < options.length);
    return places.length > 0 && isWhole ? places : null;
  };
  const byName = placesBy(parts);
  if (byName) return byName;
  if (named >= 0) return [named];
  // The letter and the text: «б) Рибосома».
  const [, letter = '', rest = ''] = /^(\p{L}|\d{1,2})\s{0,2}[.)]\s{0,9}(\S.*)$/u.exec(plain) ?? [];
  const lettered = letters.findIndex((own) => own.toLowerCase() === letter.toLowerCase());
  if (lettered >= 0 && wordsOf(texts[lettered] ?? '') === wordsOf(rest)) return [lettered];
  // «231», if options are numbered.
  const digits =
    areNumbered && one !== undefined && /^[1-9]{2,9}$/.test(one) ? Array.from(one) : [];
  return new Set(digits).size === digits.length ? (placesBy(digits) ?? []) : [];
}

/** Right options by a style that some options have and some do not. */
function byStyle(options: readonly DraftOption[]): boolean[] | null {
  const styles = options.map(({ lines: [first] }) => (first ? stylesOf(first) : null));
  for (const style of STYLES) {
    const marked = styles.map((own) => own?.has(style) === true);
    if (marked.includes(true) && marked.includes(false)) return marked;
  }
  return null;
}

interface Base {
  readonly questionId: string;
  readonly text: string;
  readonly points: number;
}

/** Whether a text consists of signs only, «++» or «*»: then it is the option itself, not a mark. */
const areSigns = (text: string) => !/[\p{L}\d\ufffc]/u.test(text) && !/\S\s+\S/.test(text);

/** The option without the signs that mark it as right. */
function withoutMarks(option: DraftOption): DraftOption {
  const [first, ...rest] = option.lines;
  const marks = first && rest.length === 0 ? rightMarks(plainOf(first)) : null;
  if (!first || !marks || areSigns(plainOf(first))) return option;
  return { ...option, isMarked: true, lines: [cutLine(first, marks.first, marks.last)] };
}

const CONTRARY =
  'Знаки у вариантов говорят другое, чем строка ответа: взята строка ответа, проверьте';
/** A sign without a space after it may belong to the option, «*p». */
const CLOSE_SIGN = /^\s*[+*]\S/;

/** Options without their marks. A sign that contradicts the key may be text, and is reported. */
function readOptions({ options: given, key, isTagged }: QuestionDraft, losses: string[]) {
  if (isTagged) return { options: given, places: [] };
  // An asterisk before every option is a bullet.
  const areBullets = given.length > 1 && given.every(({ isStarred }) => isStarred);
  const options = areBullets ? given.map((option) => ({ ...option, isMarked: false })) : given;
  const unmarked = options.map(withoutMarks);
  const places = key === null ? [] : placesOf(key, unmarked);
  const isContrary =
    places.length > 0 &&
    unmarked.some(({ isMarked }) => isMarked) &&
    unmarked.some(({ isMarked }, place) => isMarked !== places.includes(place));
  if (!isContrary) return { options: unmarked, places };
  losses.push(CONTRARY);
  const mayBeText = ({ lines: [first] }: DraftOption) =>
    first !== undefined && CLOSE_SIGN.test(plainOf(first));
  return {
    options: options.map((option) => (mayBeText(option) ? option : withoutMarks(option))),
    places,
  };
}

function variant(draft: QuestionDraft, base: Base, tools: Tools, losses: string[]): Question {
  const { options, places } = readOptions(draft, losses);
  if (draft.key !== null && places.length === 0) {
    losses.push(
      `Ответ «${draft.key.slice(0, 60)}» не подходит ни к одному варианту: отметьте верный`,
    );
  }
  const isSigned = options.some(({ isMarked }) => isMarked);
  const styled = places.length === 0 && !isSigned ? byStyle(options) : null;
  const isRight = (place: number) =>
    places.length > 0
      ? places.includes(place)
      : isSigned
        ? options[place]?.isMarked === true
        : styled?.[place] === true;
  const right = options.filter((_, place) => isRight(place)).length;
  const isSorted = places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1));
  const mayBeOrder = !isSorted || ORDERING.test(base.text);
  if (places.length === options.length && options.length > 2 && mayBeOrder) losses.push(IS_ORDER);
  if (right === 0 && draft.key === null) losses.push(NO_RIGHT);
  const texts = options
    .map(({ lines }) => markdownOf(lines))
    .map((text) => (draft.isTagged || CODE.test(text) ? text : text.replace(/;$/, '').trim()));
  if (texts.includes('')) losses.push('Есть вариант без текста: впишите его');
  return {
    ...base,
    kind: 'variant',
    multiple: right > 1,
    shuffle: draft.isFirstRight ?? false,
    scoring: 'partial',
    options: texts.map((text, place) => ({
      optionId: tools.newId(),
      text,
      isRight: isRight(place),
    })),
  };
}

function open(draft: QuestionDraft, base: Base, losses: string[]): Question {
  const answers = (draft.key ?? '')
    .split(/[;|]/)
    .map((answer) => answer.trim().replace(/(\p{L}{4})\.$/u, '$1'))
    .filter((answer) => !/^[_\s\\.…]*$/.test(answer));
  if (answers.length === 0) losses.push('Ответа нет: вопрос проверяется вручную');
  losses.push(...doubtsOfOpen(draft, answers));
  const areNumbers =
    answers.length > 0 &&
    answers.every((answer) => parseNumber(answer.replace(/\.$/, '')) !== null);
  return {
    ...base,
    kind: 'open',
    input: answers.length === 0 ? 'text' : areNumbers ? 'number' : 'line',
    accepted: answers.map((answer) => ({
      text: areNumbers ? answer.replace(/\.$/, '') : answer,
      share: 1,
    })),
    tolerance: 0,
  };
}

/** A side of a pair without the number or letter by which the key names it. */
function sideOf(line: Line, place: number): { label: string; text: string } {
  const text = plainOf(line);
  const number = itemNumber(text);
  const letter = optionMark(text, place);
  const length = number?.length ?? letter?.length ?? 0;
  return {
    label: number ? String(number.number) : (letter?.letter ?? ''),
    text: markdownOf([cutLine(line, length)]),
  };
}

function compliance(
  draft: QuestionDraft,
  sides: NonNullable<Line['sides']>,
  base: Base,
  tools: Tools,
  losses: string[],
): Question {
  const read = sides.map(({ left, right }, place) => ({
    left: sideOf(left, place),
    right: sideOf(right, place),
  }));
  // A header above numbered rows is no pair.
  const rows = read[0]?.left.label === '' && read[1]?.left.label !== '' ? read.slice(1) : read;
  const left = rows
    .filter((row) => row.left.text !== '')
    .map((row) => ({ ...row.left, row: row.right.text, leftId: tools.newId() }));
  const right = rows
    .filter((row) => row.right.text !== '')
    .map((row) => ({ ...row.right, rightId: tools.newId() }));
  const labels = right.map(({ label }, place) => label || String(place + 1));
  const keys = new Map(
    keyPairs(draft.key ?? '').map(({ number, key }) => [
      String(number),
      placeOfLetter(key, labels),
    ]),
  );
  if (keys.size === 0) losses.push('Пары взяты по строкам таблицы: проверьте их');
  return {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: left.map(({ leftId, text }) => ({ leftId, text })),
    right: right.map(({ rightId, text }) => ({ rightId, text })),
    pairs: left.flatMap(({ leftId, label, row }, place) => {
      const named = right[keys.get(label || String(place + 1)) ?? -1];
      const own = keys.size > 0 ? named : right.find(({ text }) => text === row);
      return own ? [{ leftId, rightId: own.rightId }] : [];
    }),
  };
}

/** Pairs that the notation itself names. */
function namedPairs(
  sides: NonNullable<QuestionDraft['pairs']>,
  base: Base,
  tools: Tools,
): Question {
  const read = sides.map(({ left, right }) => ({
    left: markdownOf([left]),
    right: markdownOf([right]),
    leftId: tools.newId(),
    rightId: tools.newId(),
  }));
  return {
    ...base,
    kind: 'compliance',
    shuffle: true,
    left: read.flatMap(({ left, leftId }) => (left === '' ? [] : { leftId, text: left })),
    right: read.flatMap(({ right, rightId }) => (right === '' ? [] : { rightId, text: right })),
    pairs: read.flatMap(({ left, right, leftId, rightId }) =>
      left === '' || right === '' ? [] : { leftId, rightId },
    ),
  };
}

/** Items in the order that the notation itself names. */
function orderOf(
  order: NonNullable<QuestionDraft['order']>,
  base: Base,
  tools: Tools,
  losses: string[],
): Question {
  losses.push('Балл даётся и за часть порядка: за каждый пункт, за которым стоит следующий');
  const items = order.map((lines) => ({ itemId: tools.newId(), text: markdownOf(lines) }));
  return { ...base, kind: 'ordering', items };
}

/**
 * The items of an order that the key names one by one; null: the question does not ask for an order, or the key is
 * incomplete.
 */
function orderByKey({ key, options, isTagged }: QuestionDraft, words: string): Line[][] | null {
  if (key === null || isTagged || options.length < 3 || !ORDERING.test(words)) return null;
  const places = placesOf(key, options);
  const isWhole = places.length === options.length && new Set(places).size === options.length;
  // A key in the written order may just mean that all are right.
  const isSorted = places.every((place, at) => place === at);
  return isWhole && !isSorted
    ? places.flatMap((place) => (options[place] ? [options[place].lines] : []))
    : null;
}

const IS_ORDER =
  'Ответ называет все варианты: если верен их порядок, смените вид вопроса на «Порядок»';

/** Adds options if only the right ones have a sign: the lines between them are the others. */
function withLooseLines(draft: QuestionDraft): QuestionDraft {
  const { options, text, key } = draft;
  const areSigned =
    options.length > 0 && options.every(({ letter, isMarked }) => letter === '' && isMarked);
  const isLoose =
    options.some(({ lines }) => lines.length > 1) || (options.length === 1 && text.length > 1);
  if (draft.isTagged || key !== null || !areSigned || !isLoose) return draft;
  const loose = (line: Line): DraftOption => ({ letter: '', isMarked: false, lines: [line] });
  const [stem, ...before] = text;
  return {
    ...draft,
    text: stem ? [stem] : [],
    options: [
      ...before.map(loose),
      ...options.flatMap((option) => {
        const [first, ...rest] = option.lines;
        return [{ ...option, lines: first ? [first] : [] }, ...rest.map(loose)];
      }),
    ],
    doubts: [...(draft.doubts ?? []), LOOSE],
  };
}

const LOOSE = 'Варианты без знаков взяты по строкам: проверьте, где кончается вопрос';

/** The question of a draft, and what could not be determined, in Russian. */
export function questionOf(
  given: QuestionDraft,
  tools: Tools,
): { question: Question; losses: string[] } {
  const draft = withLooseLines(given);
  const all = [
    ...draft.text,
    ...draft.options.flatMap(({ lines }) => lines),
    ...(draft.pairs ?? []).flatMap(({ left, right }) => [left, right]),
    ...(draft.order ?? []).flat(),
    ...draft.explanation,
  ];
  const words = draft.text.map(plainOf).join(' ');
  const table = MATCHING.test(words)
    ? draft.text.find(({ sides }) => sides !== undefined)
    : undefined;
  const lettered = MATCHING.test(words) && !table ? letteredPairs(draft, tools) : null;
  const doubts = [...(lettered ? [] : doubtsOfLines(draft)), ...(draft.doubts ?? [])];
  const losses = [...new Set([...all.flatMap((line) => line.losses), ...doubts])];
  const lines = lettered ? [...lettered.stem] : draft.text.filter((line) => line !== table);
  const last = lines.at(-1);
  const mark = last ? pointsMark(plainOf(last)) : null;
  if (last && mark) lines[lines.length - 1] = cutLine(last, 0, mark.length);
  const base = {
    questionId: tools.newId(),
    text: markdownOf(lines),
    points: mark?.points ?? 1,
  };
  const order = draft.order ?? orderByKey(draft, words);
  const question = order
    ? orderOf(order, base, tools, losses)
    : draft.pairs
      ? namedPairs(draft.pairs, base, tools)
      : table?.sides && draft.options.length === 0
        ? compliance(draft, table.sides, base, tools, losses)
        : lettered
          ? { ...base, ...lettered.question }
          : draft.options.length > 0
            ? variant(draft, base, tools, losses)
            : open(draft, base, losses);
  const explanation = markdownOf(draft.explanation);
  return { question: explanation === '' ? question : { ...question, explanation }, losses };
}
