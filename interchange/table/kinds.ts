/** Accepted names of the kinds of questions; the first is the one we write. */
const KINDS = {
  single: [
    'один вариант',
    'один',
    'один ответ',
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
    'несколько вариантов',
    'несколько',
    'несколько ответов',
    'множественный',
    'множественный выбор',
    'выбор нескольких',
    'multiple',
    'multiple answers',
    'checkbox',
  ],
  line: [
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
  number: ['число', 'числовой', 'числовой ответ', 'number', 'numerical', 'numeric'],
  text: ['текст', 'эссе', 'развернутый', 'развернутый ответ', 'essay'],
  matching: ['соответствие', 'сопоставление', 'пары', 'на соответствие', 'matching', 'match'],
  ordering: ['порядок', 'упорядочение', 'последовательность', 'на порядок', 'ordering', 'order'],
  file: ['файл', 'ответ файлом', 'file', 'upload'],
} as const;

export type TableKind = keyof typeof KINDS;

export const kindName = (kind: TableKind): string => KINDS[kind][0];

const BY_WORD = new Map<string, TableKind>(
  (Object.keys(KINDS) as TableKind[]).flatMap((kind) =>
    KINDS[kind].map((word) => [word, kind] as const),
  ),
);

/** The kind by its name; null: no such kind. */
export const kindOf = (cell: string): TableKind | null =>
  BY_WORD.get(cell.toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ').trim()) ?? null;

export const KIND_LABELS: string = (Object.keys(KINDS) as TableKind[]).map(kindName).join(', ');
