import type { FormatId } from '#interchange/model.ts';

interface FormatMessages {
  readonly label: string;
  /** Origin or purpose of the format. */
  readonly about: string;
}

export const FORMAT_MESSAGES: Readonly<Record<FormatId, FormatMessages>> = {
  moodleXml: { label: 'Moodle XML', about: 'переносит почти всё, с рисунками и формулами' },
  gift: { label: 'GIFT', about: 'текстовый формат Moodle, без рисунков' },
  aiken: { label: 'Aiken', about: 'только вопросы с одним верным ответом' },
  qti1: { label: 'QTI 1.2', about: 'выгрузки Canvas и Blackboard' },
  qti2: { label: 'QTI 2', about: 'для TAO, Canvas и других систем, с рисунками' },
  qti3: { label: 'QTI 3', about: 'новая версия QTI, с рисунками' },
  xlsx: { label: 'Таблица Excel', about: 'удобно править и печатать' },
  csv: { label: 'CSV', about: 'таблица для любых программ' },
  docx: { label: 'Документ Word', about: 'вопросы нумерованным списком' },
  markedText: { label: 'Текст', about: 'вопросы нумерованным списком' },
};

/** Export formats, the most complete first. */
export const WRITABLE = [
  'moodleXml',
  'qti2',
  'qti3',
  'gift',
  'xlsx',
  'csv',
  'aiken',
] as const satisfies readonly FormatId[];
export type Writable = (typeof WRITABLE)[number];

/** For the `accept` attribute. */
export const READABLE_EXTENSIONS =
  '.xml,.zip,.imscc,.dat,.txt,.gift,.csv,.tsv,.xlsx,.docx,.md,text/plain,text/csv,application/zip';
