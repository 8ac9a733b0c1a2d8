import type { StudentQuestion } from '#contract/questions.ts';
import { readableText } from '#domain/format-gaps.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { formatPoints, letterOf } from '#domain/format.ts';
import type { XhtmlPiece } from '#interchange/html/to-xhtml.ts';
import type { Written } from '#interchange/xml-writer.ts';
import {
  blocksOf,
  LINE_WIDTH,
  paragraph,
  runsOf,
  table,
  tabRun,
  textRun,
  type Paragraph,
  type Placing,
} from './words.ts';

/** The layout of a question on a sheet. */

export interface Writing {
  readonly placing: Placing;
  readonly block: (markdown: string) => readonly XhtmlPiece[];
  readonly inline: (markdown: string) => readonly XhtmlPiece[];
}

/** Width of a number or a letter before its text. */
const MARK = 454;
const ANSWER_LINES = 6;
const CELL = 567;
const CELLS_PER_ROW = Math.floor((LINE_WIDTH - MARK) / CELL);

const instruction = (text: string) =>
  paragraph([textRun(text, { isItalic: true })], { left: MARK, isUnbroken: true, after: 60 });

const part = (mark: string, text: string, { placing, inline }: Writing, options: Paragraph) =>
  paragraph(runsOf(inline(text), placing, LINE_WIDTH / 2), {
    mark,
    hanging: MARK,
    isUnbroken: true,
    after: 40,
    ...options,
  });

/** The right margin. An underlined tab has to end a little before it. */
const LINE_END = LINE_WIDTH - 40;

/** «Ответ: ______». */
const answerLine = (label: string, end = LINE_END) =>
  paragraph([...(label === '' ? [] : [textRun(label)]), tabRun()], {
    left: MARK,
    isUnbroken: true,
    tabs: [{ at: end, line: true }],
  });

/** A row of marks, with empty cells under it for letters. A long row continues below. */
function answerGrid(marks: readonly string[]): Written[] {
  const blocks: Written[] = [];
  for (let from = 0; from < marks.length; from += CELLS_PER_ROW) {
    const some = marks.slice(from, from + CELLS_PER_ROW);
    const cell = (text: string) => [
      paragraph([textRun(text)], { align: 'center', isUnbroken: true, after: 40 }),
    ];
    blocks.push(
      paragraph([], { isUnbroken: true, after: 0 }),
      table({
        widths: some.map(() => CELL),
        left: MARK,
        hasLines: true,
        rows: [some.map(cell), some.map(() => cell(''))],
      }),
    );
  }
  return blocks;
}

function matching(
  { left, right }: Extract<StudentQuestion, { kind: 'compliance' }>,
  writing: Writing,
): Written[] {
  const half = Math.floor((LINE_WIDTH - MARK) / 2);
  const stack = (texts: readonly { readonly text: string }[], markOf: (index: number) => string) =>
    texts.map(({ text }, index) => part(`${markOf(index)})`, text, writing, {}));
  const numberOf = (index: number) => String(index + 1);
  const rows = [[stack(left, numberOf), stack(right, letterOf)]];
  return [
    table({ widths: [half, half], left: MARK, hasLines: false, rows }),
    ...answerGrid(left.map((_, index) => numberOf(index))),
  ];
}

type ShownGap = Extract<StudentQuestion, { kind: 'gaps' }>['gaps'][number];

/** The options of a gap in a line; none for a typed gap. */
const gapOptions = (gap: ShownGap, { placing }: Writing): Written[] => {
  if (gap.input !== 'choice') return [];
  const options = gap.options.map(({ text }, index) => `${letterOf(index)}) ${text}`).join('   ');
  return [
    paragraph([textRun(`(${gap.gapId})  ${options}`, { language: placing.language })], {
      left: MARK,
      isUnbroken: true,
      after: 40,
    }),
  ];
};

const lettered = (parts: readonly { readonly text: string }[], writing: Writing): Written[] =>
  parts.map(({ text }, index) => part(`${letterOf(index)})`, text, writing, { left: MARK }));

/** The instruction, after which the points are named, and the place for the answer. */
interface AnswerPlace {
  readonly task: string;
  readonly place: readonly Written[];
}

const ANSWER_PLACES: KindTable<AnswerPlace, [writing: Writing], StudentQuestion> = {
  open({ input }) {
    if (input === 'text') {
      const place = Array.from({ length: ANSWER_LINES }, () => answerLine(''));
      return { task: 'Запишите развёрнутый ответ.', place };
    }
    return input === 'number'
      ? { task: 'Запишите число.', place: [answerLine('Ответ: ', LINE_END / 2)] }
      : LINE;
  },
  variant: ({ multiple, options }, writing) => ({
    task: multiple ? 'Обведите буквы всех верных ответов.' : 'Обведите букву верного ответа.',
    place: lettered(options, writing),
  }),
  compliance: (shown, writing) => ({
    task: `Впишите под каждым номером букву.${shown.reuse ? ' Буквы могут повторяться.' : ''}`,
    place: matching(shown, writing),
  }),
  ordering: ({ items }, writing) => ({
    task: 'Расставьте по порядку: впишите буквы слева направо.',
    place: [...lettered(items, writing), ...answerGrid(items.map((_, index) => String(index + 1)))],
  }),
  gaps: ({ gaps }, writing) => ({
    task: 'Заполните пропуски.',
    place: gaps.flatMap((gap) => gapOptions(gap, writing)),
  }),
  file: () => ({ task: 'Выполните на отдельном листе.', place: [] }),
};

/** Whether the sheet has a special place for answers of this kind; otherwise it is a line. */
export const hasAnswerPlace = ({ kind }: StudentQuestion): boolean =>
  ANSWER_PLACES[kind] !== undefined;

const LINE: AnswerPlace = { task: 'Запишите ответ.', place: [answerLine('Ответ: ')] };

function answerPlace(shown: StudentQuestion, writing: Writing): Written[] {
  const { task, place } = entryOf(ANSWER_PLACES, shown)?.(shown, writing) ?? LINE;
  return [instruction(`${task} ${formatPoints(shown.points)}.`), ...place];
}

/** A question with the place for its answer. It stays on one page if it fits. */
export function questionOnSheet(
  shown: StudentQuestion,
  number: number,
  writing: Writing,
): Written[] {
  return [
    ...blocksOf(writing.block(readableText(shown)), writing.placing, {
      mark: `${number}.`,
      hanging: MARK,
      isUnbroken: true,
      after: 60,
    }),
    ...transcriptOnSheet(shown, writing, MARK),
    ...answerPlace(shown, writing),
    // It may be on another page than the next question.
    paragraph([], { after: 60 }),
  ];
}

/** The transcript of a recording, if students may read it: paper has no sound. */
const transcriptOnSheet = (
  { transcript }: Pick<StudentQuestion, 'transcript'>,
  { block, placing }: Writing,
  left: number,
): Written[] =>
  transcript === undefined
    ? []
    : [
        paragraph([textRun('Текст записи', { isItalic: true })], {
          left,
          isUnbroken: true,
          after: 60,
        }),
        ...blocksOf(block(transcript), placing, { left, isUnbroken: true, after: 60 }),
      ];

/** The text of the questions after it. Its last lines stay on the page of the first question. */
export const passageOnSheet = (
  passage: NonNullable<StudentQuestion['passage']>,
  writing: Writing,
): Written[] => [
  ...blocksOf(writing.block(passage.text), writing.placing, { isUnbroken: true, after: 120 }),
  ...transcriptOnSheet(passage, writing, 0),
];

/** Lines for the student's name above the first question. */
export function nameLines(): Written[] {
  const at = [0.58, 0.76, 1].map((share) => Math.round(LINE_END * share));
  return [
    paragraph(
      ['Фамилия, имя ', ' Класс ', ' Дата '].flatMap((label) => [textRun(label), tabRun()]),
      { tabs: at.map((place) => ({ at: place, line: true })), after: 240 },
    ),
  ];
}
