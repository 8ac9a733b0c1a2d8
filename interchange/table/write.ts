import type { Question } from '#contract/questions.ts';
import { entryOf, type KindTable } from '#domain/kinds/kind-table.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { sharesRight } from '#domain/shared-right.ts';
import {
  REUSE_LOSS,
  unillustrated,
  unknownKindLoss,
  withPassageInText,
} from '#interchange/exported.ts';
import { alternativesLoss } from '#interchange/items/writing.ts';
import type { ExportedTest } from '#interchange/model.ts';
import { languageLabel } from '#domain/languages.ts';
import { listCell, numberCell } from './cells.ts';
import { numberedHead, singleHead, type NumberedColumn, type SingleColumn } from './columns.ts';
import { kindName, type TableKind } from './kinds.ts';

/** Cells of a question by their columns. */
interface RowCells {
  readonly single: Partial<Record<SingleColumn, string>>;
  readonly numbered: Partial<Record<NumberedColumn, readonly string[]>>;
  readonly losses: readonly string[];
}

export interface WrittenTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly losses: readonly string[];
}

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

const EMPTY_LOSS = 'пустые тексты не перенесутся обратно';
const isEmpty = (text: string) => text.trim() === '';

function open({ input, accepted, tolerance }: Of<'open'>): RowCells {
  const kinds: Record<typeof input, TableKind> = { line: 'line', number: 'number', text: 'text' };
  return {
    single: {
      kind: kindName(kinds[input]),
      ...(accepted.every(({ share }) => share === 1)
        ? {}
        : {
            shares: listCell(
              accepted.map(({ share }) => numberCell(Number((share * 100).toFixed(6)))),
            ),
          }),
      ...(tolerance === 0 ? {} : { tolerance: numberCell(tolerance) }),
      ...(accepted.every((answer) => answer.tolerance === undefined)
        ? {}
        : {
            tolerances: listCell(
              accepted.map((answer) =>
                answer.tolerance === undefined ? '' : numberCell(answer.tolerance),
              ),
            ),
          }),
    },
    numbered: {
      option: accepted.map(({ text }) => text),
      feedback: accepted.map(({ feedback }) => feedback ?? ''),
    },
    losses: accepted.some(({ text }) => isEmpty(text)) ? [EMPTY_LOSS] : [],
  };
}

function variant({ multiple, options, shuffle, scoring }: Of<'variant'>): RowCells {
  const right = options.flatMap(({ isRight }, place) => (isRight ? String(place + 1) : []));
  return {
    single: {
      kind: kindName(multiple ? 'multiple' : 'single'),
      right: right.join('; '),
      ...(shuffle ? { shuffle: 'да' } : {}),
      ...(scoring === 'allOrNothing' ? { scoring: 'всё или ничего' } : {}),
    },
    numbered: {
      option: options.map(({ text }) => text),
      feedback: options.map(({ feedback }) => feedback ?? ''),
    },
    losses: options.some(({ text }) => isEmpty(text)) ? [EMPTY_LOSS] : [],
  };
}

function compliance(question: Of<'compliance'>): RowCells {
  const { left, right, pairs, shuffle, reuse } = question;
  const textOf = new Map(right.map(({ rightId, text }) => [rightId, text]));
  const rightOf = new Map(pairs.map(({ leftId, rightId }) => [leftId, rightId]));
  const paired = left.flatMap(({ leftId }) => rightOf.get(leftId) ?? []);
  const extra = right.filter(({ rightId }) => !paired.includes(rightId));
  const inFile = [...new Set(paired), ...extra.map(({ rightId }) => rightId)];
  const order = right.map(({ rightId }) => inFile.indexOf(rightId) + 1);
  return {
    single: {
      kind: kindName('matching'),
      ...(shuffle ? {} : { shuffle: 'нет' }),
      ...(order.every((place, index) => place === index + 1)
        ? {}
        : { order: listCell(order.map(String)) }),
    },
    numbered: {
      option: [...left.map(({ text }) => text), ...extra.map(() => '')],
      pair: [
        ...left.map(({ leftId }) => textOf.get(rightOf.get(leftId) ?? '') ?? ''),
        ...extra.map(({ text }) => text),
      ],
    },
    losses: [
      ...([...left, ...right].some(({ text }) => isEmpty(text)) ? [EMPTY_LOSS] : []),
      ...(reuse && !sharesRight(question) ? [REUSE_LOSS] : []),
    ],
  };
}

/** The options stand in the right order. */
const ordering = ({ items }: Of<'ordering'>): RowCells => ({
  single: { kind: kindName('ordering') },
  numbered: { option: items.map(({ text }) => text) },
  losses: items.some(({ text }) => isEmpty(text)) ? [EMPTY_LOSS] : [],
});

const MEGABYTE = 1024 * 1024;

function file({ maxBytes, accept, maxFiles }: Of<'file'>): RowCells {
  const size = maxBytes % MEGABYTE === 0 ? `${maxBytes / MEGABYTE} МБ` : `${maxBytes} Б`;
  return {
    single: {
      kind: kindName('file'),
      fileSize: size,
      ...(accept.length === 0 ? {} : { fileTypes: listCell(accept) }),
      ...(maxFiles === undefined ? {} : { maxFiles: String(maxFiles) }),
    },
    numbered: {},
    losses: [],
  };
}

const NO_GAPS = 'не перенесён: для пропусков в таблице нет места. Их переносят Moodle XML и QTI';

/** The specific cells of each kind, or why it has none. */
const CELLS: KindTable<RowCells | string> = {
  open,
  variant,
  compliance,
  ordering,
  gaps: () => NO_GAPS,
  file,
};

function cellsOf(question: Question): RowCells | string {
  const own = entryOf(CELLS, question)?.(question) ?? unknownKindLoss(question);
  if (typeof own === 'string') return own;
  const { single, numbered, losses } = own;
  const { text, points, explanation, title, topic, difficulty, tags } = question;
  const { transcript, transcriptShown } = question;
  const lone = tags?.length === 1 && tags[0]?.includes(',') === true;
  return {
    single: {
      ...single,
      text,
      points: numberCell(points),
      ...(explanation === undefined ? {} : { explanation }),
      ...(transcript === undefined ? {} : { transcript }),
      ...(transcriptShown ? { transcriptShown: 'да' } : {}),
      ...(title === undefined ? {} : { title }),
      ...(topic === undefined ? {} : { topic }),
      ...(difficulty === undefined ? {} : { difficulty: difficultyLabel(difficulty) }),
      // A single tag with a comma gets a semicolon, so that it is not split.
      ...(tags === undefined ? {} : { tags: `${listCell(tags)}${lone ? ';' : ''}` }),
    },
    numbered,
    losses: [...losses, ...(isEmpty(text) ? ['нет текста: строка не перенесётся обратно'] : [])],
  };
}

const ALWAYS: readonly SingleColumn[] = ['kind', 'text', 'points', 'right'];
const AT_END: readonly SingleColumn[] = [
  'shares',
  'tolerance',
  'tolerances',
  'order',
  'scoring',
  'shuffle',
  'explanation',
  'title',
  'topic',
  'difficulty',
  'tags',
  'fileSize',
  'fileTypes',
  'maxFiles',
  'transcript',
  'transcriptShown',
  'language',
];

/** The number of cells up to the last non-empty one. */
const lastFilled = (texts: readonly string[]): number =>
  texts.reduce((last, text, place) => (text === '' ? last : place + 1), 0);

/** A test as a table: one question per row, only columns that are used. */
export function tableOf({
  questions,
  language,
}: Pick<ExportedTest, 'questions' | 'language'>): WrittenTable {
  const inLanguage =
    language === undefined || language === 'ru' ? {} : { language: languageLabel(language) };
  const losses: string[] = [...alternativesLoss(questions)];
  const cells = questions.flatMap((given, index) => {
    const merged = withPassageInText(given, index + 1);
    const { question, losses: lost } = unillustrated(merged.question, index + 1);
    const row = cellsOf(question);
    if (typeof row === 'string') {
      losses.push(`Вопрос ${index + 1}: ${row}`);
      return [];
    }
    losses.push(
      ...merged.losses,
      ...lost,
      ...row.losses.map((loss) => `Вопрос ${index + 1}: ${loss}`),
    );
    return [{ ...row, single: { ...row.single, ...inLanguage } }];
  });
  const width = (column: NumberedColumn) =>
    Math.max(0, ...cells.map(({ numbered }) => lastFilled(numbered[column] ?? [])));
  const options = Math.max(2, width('option'), width('pair'));
  const used = AT_END.filter((column) => cells.some(({ single }) => single[column] !== undefined));
  const groups = [
    { column: 'option' as const, count: options },
    { column: 'pair' as const, count: width('pair') },
    { column: 'feedback' as const, count: width('feedback') },
  ];
  const spread = <T>(make: (column: NumberedColumn, place: number) => T) =>
    groups.flatMap(({ column, count }) =>
      Array.from({ length: count }, (_, place) => make(column, place)),
    );
  return {
    heads: [
      ...ALWAYS.map(singleHead),
      ...spread((column, place) => numberedHead(column, place + 1)),
      ...used.map(singleHead),
    ],
    rows: cells.map(({ single, numbered }) => [
      ...ALWAYS.map((column) => single[column] ?? ''),
      ...spread((column, place) => numbered[column]?.[place] ?? ''),
      ...used.map((column) => single[column] ?? ''),
    ]),
    losses,
  };
}
