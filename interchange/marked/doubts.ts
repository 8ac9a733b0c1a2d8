import { plainOf, tableRows, type Line } from './line.ts';
import { isLineLetterOf } from '#interchange/letters.ts';
import { addDoubt, type QuestionDraft, type DraftOption } from './draft.ts';
import { AS_OPTION, CODE, PART_NUMBERS, wordsOf } from './patterns.ts';

/** Whether short lines below the question may be options without letters, and the answer one of them or its number. */
function mayBeLine({ text }: QuestionDraft, answers: readonly string[]): boolean {
  const below = text
    .slice(1)
    .map(plainOf)
    .filter((line) => line.trim() !== '');
  const [only = ''] = answers;
  const number = Number(/^([1-9])\.?$/.exec(only)?.[1] ?? Number.NaN);
  const answer = wordsOf(only);
  return (
    answers.length === 1 &&
    below.length > 1 &&
    (number <= below.length || below.some((line) => wordsOf(line) === answer))
  );
}

/** «А литр; Б метр; В грамм», on separate lines or on one. */
const BARE_LETTERS =
  /(?:^|\s)[АA]\s{1,3}\S[^\n]{0,200}[\n;.]\s{0,3}[БB]\s{1,3}\S[^\n]{0,200}[\n;.]\s{0,3}[ВC]\s/u;
/** «А.1 млн Б.2 млн В.3 млн», on one line. */
const CLOSE_LETTERS =
  /(?:^|\s)[АAаa][.)]\s{0,3}\S[^\n]{0,200}[БBбb][.)]\s{0,3}\S[^\n]{0,200}[ВCвc][.)]\s{0,3}\S/u;
const LINE_LOOKED_AT = 4000;
const LETTERS_LOOKED_AT = 40;
const lookedAt = (line: Line): string => plainOf(line).slice(0, LINE_LOOKED_AT);

/** Whether an answer is «1324» after the fourth of numbered lines. */
const isOrderOf = (answer: string, number: number | null): boolean =>
  number !== null &&
  number > 1 &&
  answer.length === number &&
  Array.from(answer).every((digit) => digit >= '1' && Number(digit) <= number) &&
  new Set(answer).size === number;

/** «1 4 2 3»: positions rather than a number. */
const PLACES = /^\d(?:[\s,]{1,3}\d)+$/;

/** Why a question without options may be something else, in Russian. */
export function doubtsOfOpen(draft: QuestionDraft, answers: readonly string[]): readonly string[] {
  const losses: string[] = [];
  const text = draft.text.map(plainOf).join('\n').slice(0, LINE_LOOKED_AT);
  if (BARE_LETTERS.test(text) || CLOSE_LETTERS.test(text))
    losses.push('Буквы А, Б, В похожи на варианты: начните каждый с новой строки, «А) …»');
  const [only = ''] = answers;
  const isOther = /^[a-kynа-к]$/i.test(only) || PLACES.test(only) || isOrderOf(only, draft.number);
  if (answers.length === 1 && isOther)
    losses.push(`Ответ «${only}» похож на букву или порядок вариантов, а вариантов нет: проверьте`);
  if (draft.text.some((line) => plainOf(line).split('\t').length > 2))
    losses.push('В строке вопроса стоят столбцы: сохраните таблицу как CSV с названиями столбцов');
  if (mayBeLine(draft, answers))
    losses.push(
      'Строки под вопросом могут быть вариантами без букв, а ответ – одним из них или его номером: обозначьте варианты буквами в файле или исправьте вопрос',
    );
  return losses;
}

/** A shorter line can only be continued by one that begins with a small letter. */
const LONG_LINE = 45;
const isContinued = (before: string, text: string) =>
  before.length >= LONG_LINE || /^\s*[\p{Ll}(«"$\\\ufffc]/u.test(text);

const LETTER_ALONE = /^\s*\p{L}[.)]\s*$/u;

/** Other lines between options: a page number, a heading, «Points: 2». */
function foreignLines({ options }: QuestionDraft): readonly Line[] {
  return options.flatMap(({ lines }) =>
    lines.slice(1).filter((line, at) => {
      const before = lines[at];
      const text = plainOf(line);
      return (
        before &&
        // «1)» alone on its line.
        plainOf(before).trim() !== '' &&
        (LETTER_ALONE.test(text) ||
          tableRows(line) ||
          (!CODE.test(text) && !isContinued(plainOf(before).trim(), text)))
      );
    }),
  );
}

/** Whether the letter of an option occurs in it once more: the next option is on the same line. */
function isDoubled({ letter, lines: [first] }: DraftOption): boolean {
  if (!/^\p{L}$/u.test(letter) || first === undefined) return false;
  const text = lookedAt(first);
  const bracketed = new RegExp(`(?<!(?:^|\\s)(?:и|или|только|не))\\s${letter}\\)\\s{1,9}\\S`, 'iu');
  // «Г. Р. Державин» and «1861 г.» are no options.
  const dotted = new RegExp(`\\s${letter}\\.\\s{1,9}(?!\\p{Lu}\\.)\\p{Lu}`, 'u');
  return bracketed.test(text) || (/\p{Lu}/u.test(letter) && dotted.test(text));
}

/** A capital letter with a dot that is no initial. */
const LETTER_INSIDE = /(?<!\p{Lu}\.)\s(\p{Lu})\.\s{1,3}(?!\p{Lu}\.)\p{L}/gu;

/** Whether the letter of the next option occurs in the line of an option. */
function holdsNext(
  { lines: [first] }: DraftOption,
  place: number,
  letters: readonly string[],
): boolean {
  if (!first || !/^\p{Lu}$/u.test(letters[place] ?? '')) return false;
  const found = lookedAt(first).matchAll(LETTER_INSIDE);
  return [...found].some(([, letter = '']) =>
    isLineLetterOf(letter, place + 1, letters.slice(0, place + 1)),
  );
}

/** Further questions or options in the line of an option: «в) два 2. Где? а) тут», «Москва 3. Псков». */
const INSIDE = /\s\d{1,3}[.)]\s.{3,300}\s[AaАа][.)]\s|\s[АA]\d{1,2}[.)]\s/u;
/** A letter alone at the end of its line; «Only A.» is short. */
const LETTER_LAST = /\s[A-ZА-Я]\.\s*$/u;
const SHORT_LINE = 18;
/** A bracket that nothing opens closes the mark of an option: «9 B)10», «somed) an». */
const LOOSE_BRACKET = /(?:\p{L}|\d)\)/gu;
const NUMBER_INSIDE = /\s\d{1,2}\.\s\S/g;

/** Depth of nested brackets that is searched. */
const BRACKETS_DEEP = 4;

/** Removes text in brackets, intervals like «[2; 5)» too. */
const withoutBrackets = (text: string): string =>
  Array.from({ length: BRACKETS_DEEP }).reduce<string>(
    (rest) => rest.replaceAll(/[([{][^()[\]{}]*[)\]}]/g, ' '),
    text,
  );

/**
 * @param brackets how many loose brackets a text of this kind may contain
 * @param numbers how many «2. …»
 */
const holdsMarks = (text: string, brackets: number, numbers: number): boolean => {
  const loose = CODE.test(text) ? [] : (withoutBrackets(text).match(LOOSE_BRACKET) ?? []);
  return loose.length > brackets || (text.match(NUMBER_INSIDE)?.length ?? 0) > numbers;
};

const holdsMore = (text: string): boolean =>
  holdsMarks(text, 0, 0) ||
  INSIDE.test(text) ||
  (LETTER_LAST.test(text) && text.trim().length > SHORT_LINE);

const ASKS = /\S[?:]\s*$|[–—-]\s{0,3}это\s*$/iu;

/** Whether some options end like questions, and others do not. */
function asksAmong(options: readonly DraftOption[]): boolean {
  const asking = options.filter(({ lines }) => {
    const last = lines.at(-1);
    return last !== undefined && ASKS.test(plainOf(last).slice(-20));
  });
  return asking.length > 0 && asking.length * 3 <= options.length;
}

/** A line that reveals the right answer to students. */
const SAYS_KEY =
  /(?:^|[.!?]\s)\s*(?:(?:правильн|верн|стандартн)[\p{L}]{2}\s{1,3}(?:ответ|вариант|последовательност)[^.?!]{0,30}[:=—–]|correct\s{1,3}answers?\s{0,3}[:=—–])\s{0,3}\S|\s{1,3}(?:ответ|answer)\s{0,3}::/iu;

/** Why the lines of a question may have been split wrongly, in Russian. */
export function doubtsOfLines(draft: QuestionDraft): readonly string[] {
  const { options, text } = draft;
  // The first letters show the alphabet.
  const letters = options.slice(0, LETTERS_LOOKED_AT).map(({ letter }) => letter);
  const twice = letters.find((letter, at) => letter !== '' && letters.indexOf(letter) < at);
  const behind = options.flatMap(({ lines }) => lines.slice(1));
  // Numbered statements belong to a question. Letters without any option after them are options.
  const inText = options.length < 2 ? text.slice(1) : [];
  const isGlued = (line: Line) => AS_OPTION.test(plainOf(line));
  const isDashed = (line: Line) => /^\s*[-–—]\p{L}/u.test(plainOf(line));
  const asOptions = [
    ...behind.filter(isGlued),
    ...inText.filter((line) => isDashed(line) || (isGlued(line) && !/^\s*\d/.test(plainOf(line)))),
  ];
  const optionTexts = options.flatMap(({ lines }) => lines.map(lookedAt));
  const stemTexts = text.map(lookedAt);
  const excerpt = (line: Line) => plainOf(line).trim().slice(0, 60).replaceAll('\ufffc', '…');
  const areOptions = new Set(asOptions);
  const foreign = foreignLines(draft).filter((line) => !areOptions.has(line));
  return [
    ...asOptions
      .slice(0, 3)
      .map(
        (line) =>
          `Строка «${excerpt(line)}» похожа на вариант с опиской в букве и присоединена к строке перед ней: исправьте букву в файле`,
      ),
    ...foreign
      .slice(0, 3)
      .map((line) => `Строка «${excerpt(line)}» присоединена к варианту перед ней: проверьте`),
    ...(twice === undefined ? [] : [`Буква «${twice}» стоит у двух вариантов: проверьте верный`]),
    ...(options.some(
      (option, place) => place < LETTERS_LOOKED_AT && holdsNext(option, place, letters),
    )
      ? ['В строке варианта стоит ещё вариант: разделите их по строкам']
      : []),
    ...(optionTexts.some(holdsMore) || asksAmong(options)
      ? ['В строке варианта стоят ещё варианты или вопросы: разделите их по строкам']
      : []),
    ...(stemTexts.some((one) => holdsMarks(one, 2, 1))
      ? ['В тексте вопроса стоят ещё варианты или вопросы: разделите их по строкам']
      : []),
    ...([...stemTexts, ...optionTexts].some((one) => SAYS_KEY.test(one))
      ? ['В тексте вопроса или варианта стоит строка с ответом, ученик её увидит: проверьте']
      : []),
    ...(options.length === 1 ? ['Вариант один: проверьте, не стали ли другие вопросами'] : []),
    ...options
      .filter(isDoubled)
      .map(({ letter }) => `Вариант «${letter}» стоит в строке дважды: разделите варианты`),
  ];
}

const middle = (numbers: readonly number[]): number =>
  Array.from(numbers).sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** Fewer questions have no common form. */
const FEWEST_ALIKE = 4;

/**
 * Questions with a number that does not follow the previous one: an option became a question, or a question an option.
 */
function outOfOrder(drafts: readonly QuestionDraft[]): readonly QuestionDraft[] {
  const found = drafts.filter(({ number, section }, at) => {
    const before = drafts[at - 1];
    if (!before || before.section !== section || before.number === null || number === null)
      return false;
    // Another test begins.
    const isStart =
      number % PART_NUMBERS === 1 && (before.options.length > 1 || before.key !== null);
    return number !== before.number + 1 && !isStart;
  });
  // Otherwise the numbers come from a larger collection.
  return found.length * 2 <= drafts.length ? found : [];
}

/** Adds a warning to a question that is unlike the others of its file: it may have been read wrongly. */
export function doubtUnlike(drafts: readonly QuestionDraft[]): void {
  for (const draft of outOfOrder(drafts))
    addDoubt(
      draft,
      'Номер вопроса не следует за номером предыдущего: проверьте, не слились ли вопросы и не стал ли вариант вопросом',
    );
  const choices = drafts.filter(({ options }) => options.length > 0);
  const isRule = choices.length >= FEWEST_ALIKE && choices.length * 5 >= drafts.length * 4;
  if (!isRule) return;
  const counts = choices.map(({ options }) => options.length);
  const usual = middle(counts);
  const sections = new Set(choices.map(({ section }) => section));
  const areMost = counts.filter((count) => count === usual).length * 5 >= counts.length * 4;
  for (const draft of drafts) {
    const count = draft.options.length;
    // A part of an examination may contain only questions without options.
    const isOfChoices = sections.has(draft.section);
    if (count === 0 && isOfChoices && draft.text.every(({ sides }) => sides === undefined))
      addDoubt(draft, 'У этого вопроса нет вариантов, а у других в файле они есть: проверьте');
    else if (
      count > 0 &&
      ((count !== 2 && count * 2 < usual) || count > (areMost ? usual : usual * 2))
    )
      addDoubt(draft, `Вариантов не столько, сколько у других вопросов (${usual}): проверьте`);
  }
}
