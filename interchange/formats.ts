import { detectFormat } from './detect.ts';
import { unknownFieldLosses } from './exported.ts';
import {
  UnreadableFile,
  type Exported,
  type ExportedTest,
  type FormatId,
  type PickedFile,
  type Imported,
  type Reader,
  type Tools,
  type Writer,
} from './model.ts';

/** Each format's parsers are loaded with the first file of it. */
const READERS: Readonly<Record<FormatId, () => Promise<Reader>>> = {
  gift: async () => (await import('./gift/read.ts')).readGift,
  aiken: async () => (await import('./aiken/read.ts')).readAiken,
  moodleXml: async () => (await import('./moodle/read.ts')).readMoodleXml,
  qti1: async () => (await import('./qti1/read.ts')).readQti1,
  qti2: async () => (await import('./qti/read.ts')).readQti,
  qti3: async () => (await import('./qti/read.ts')).readQti,
  csv: async () => (await import('./csv/read.ts')).readCsv,
  xlsx: async () => (await import('./xlsx/read.ts')).readXlsx,
  docx: async () => (await import('./docx/read.ts')).readDocx,
  markedText: async () => (await import('./marked/read.ts')).readMarkedText,
};

const WRITERS: Readonly<Partial<Record<FormatId, () => Promise<Writer>>>> = {
  gift: async () => (await import('./gift/write.ts')).writeGift,
  aiken: async () => (await import('./aiken/write.ts')).writeAiken,
  moodleXml: async () => (await import('./moodle/write.ts')).writeMoodleXml,
  qti2: async () => (await import('./qti/write.ts')).writeQti2,
  qti3: async () => (await import('./qti/write.ts')).writeQti3,
  csv: async () => (await import('./csv/write.ts')).writeCsv,
  xlsx: async () => (await import('./xlsx/write.ts')).writeXlsx,
};

/**
 * Reads a file of any format.
 * @param format null: detected from its content
 * @throws {UnreadableFile} nothing of it can be read
 */
export async function readFile(
  file: PickedFile,
  format: FormatId | null,
  tools: Tools,
): Promise<Imported> {
  const detected = format ?? detectFormat(file);
  const read = await READERS[detected]();
  const imported = await read(file, tools);
  if (imported.items.length + imported.refused.length === 0) {
    throw new UnreadableFile(
      'Вопросов в файле не нашлось. Проверьте, тот ли это файл, или выберите, как его читать',
    );
  }
  return imported;
}

/**
 * @throws {UnreadableFile} the format can only be read
 */
export async function writeFile(format: FormatId, test: ExportedTest): Promise<Exported> {
  const load = WRITERS[format];
  if (!load) throw new UnreadableFile('В этом формате тест не выгрузить: выберите другой');
  const exported = await (await load())(test);
  return { ...exported, losses: [...unknownFieldLosses(test.questions), ...exported.losses] };
}

/** «Образец таблицы»: one question of each kind, to fill in. */
export async function tableSample(): Promise<Exported> {
  return (await import('./xlsx/sample.ts')).tableSample();
}
