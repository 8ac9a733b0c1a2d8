import { KIND_LABELS as EDITOR_LABELS } from '#domain/labels-kinds.ts';

/** Accepted names of the question kinds; the first one is written. */
const KINDS = {
  single: [
    EDITOR_LABELS.single,
    'один вариант',
    'один',
    'одиночный',
    'одиночный выбор',
    'единственный выбор',
    'выбор одного',
    'выбор',
    'single',
    'single choice',
    'multichoice',
    'multiple choice',
  ],
  multiple: [
    EDITOR_LABELS.several,
    'несколько вариантов',
    'несколько',
    'множественный',
    'множественный выбор',
    'выбор нескольких',
    'multiple',
    'multiple answers',
    'checkbox',
  ],
  line: [
    EDITOR_LABELS.line,
    'строка',
    'ответ строкой',
    'открытый',
    'открытый ответ',
    'открытый вопрос',
    'краткий ответ',
    'короткий ответ',
    'short',
    'short answer',
  ],
  number: ['Число', 'числовой', 'числовой ответ', 'number', 'numerical', 'numeric'],
  text: [EDITOR_LABELS.essay, 'текст', 'эссе', 'развернутый', 'essay'],
  matching: [
    EDITOR_LABELS.matching,
    'сопоставление',
    'пары',
    'на соответствие',
    'matching',
    'match',
  ],
  ordering: [
    EDITOR_LABELS.ordering,
    'упорядочение',
    'последовательность',
    'на порядок',
    'ordering',
    'order',
  ],
  file: [EDITOR_LABELS.file, 'ответ файлом', 'file', 'upload'],
} as const;

export type TableKind = keyof typeof KINDS;

export const kindName = (kind: TableKind): string => KINDS[kind][0];

const folded = (cell: string) =>
  cell.toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim();

const BY_WORD = new Map<string, TableKind>(
  (Object.keys(KINDS) as TableKind[]).flatMap((kind) =>
    KINDS[kind].map((word) => [folded(word), kind] as const),
  ),
);

/** The kind by its name; null: no such kind. */
export const kindOf = (cell: string): TableKind | null => BY_WORD.get(folded(cell)) ?? null;

export const KIND_LABELS: string = (Object.keys(KINDS) as TableKind[]).map(kindName).join(', ');
