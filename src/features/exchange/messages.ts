import * as v from 'valibot';
import { Question } from '#contract/questions.ts';
import { Language } from '#contract/themes.ts';
import { MAX_PAPER_VARIANTS } from '#interchange/limits.ts';

const FormatId = v.picklist([
  'gift',
  'aiken',
  'moodleXml',
  'qti1',
  'qti2',
  'qti3',
  'csv',
  'xlsx',
  'docx',
  'markedText',
]);
const Bytes = v.instance(Uint8Array);
const File = v.object({ name: v.string(), bytes: Bytes });

/** By the keys of pictures. The library's own schema of a map would be in the first load, as all that is used of it. */
const pictures = <T extends v.GenericSchema>(picture: T) =>
  v.custom<ReadonlyMap<string, v.InferOutput<T>>>(
    (given) =>
      given instanceof Map &&
      [...(given as Map<unknown, unknown>)].every(
        ([key, value]) => typeof key === 'string' && v.is(picture, value),
      ),
  );

const Pixels = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A test for printing; `part` is the sheets for students or the key to them. */
const PaperRequest = v.object({
  kind: v.literal('paper'),
  title: v.string(),
  language: v.string(),
  questions: v.array(Question),
  pictures: pictures(
    v.object({
      mimeType: v.picklist(['image/png', 'image/jpeg', 'image/gif']),
      bytes: Bytes,
      width: Pixels,
      height: Pixels,
    }),
  ),
  variants: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PAPER_VARIANTS)),
  isShuffled: v.boolean(),
  part: v.picklist(['sheets', 'key']),
});
export type PaperRequest = v.InferOutput<typeof PaperRequest>;

/** Requests of the page to the worker. */
export const Request = v.variant('kind', [
  v.object({ kind: v.literal('read'), file: File, format: v.nullable(FormatId) }),
  v.object({
    kind: v.literal('write'),
    format: FormatId,
    title: v.string(),
    language: v.string(),
    questions: v.array(Question),
    pictures: pictures(v.object({ mimeType: v.string(), bytes: Bytes })),
  }),
  PaperRequest,
  v.object({ kind: v.literal('sample') }),
]);
export type Request = v.InferOutput<typeof Request>;

const strings = v.array(v.string());

export const ImportedTest = v.object({
  format: FormatId,
  title: v.nullable(v.string()),
  language: v.optional(Language),
  items: v.array(
    v.object({ question: Question, place: v.string(), losses: strings, source: v.string() }),
  ),
  refused: v.array(v.object({ place: v.string(), excerpt: v.string(), reason: v.string() })),
  pictures: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      mimeType: v.string(),
      bytes: Bytes,
      /** Digest of its bytes: the same whenever the file is read. */
      digest: v.string(),
    }),
  ),
  notes: strings,
});
export type ImportedTest = v.InferOutput<typeof ImportedTest>;

export const ExportedFile = v.object({
  fileName: v.string(),
  mimeType: v.string(),
  bytes: Bytes,
  losses: strings,
});
export type ExportedFile = v.InferOutput<typeof ExportedFile>;

/** Replies of the worker: any number with `progress`, then another one. `unreadable`: a message for the teacher. */
export const WorkerReply = v.variant('kind', [
  v.object({ kind: v.literal('progress'), count: v.number() }),
  v.object({ kind: v.literal('read'), imported: ImportedTest }),
  v.object({ kind: v.literal('written'), exported: ExportedFile }),
  v.object({ kind: v.literal('unreadable'), message: v.string() }),
  v.object({ kind: v.literal('failed') }),
]);
export type WorkerReply = v.InferOutput<typeof WorkerReply>;
