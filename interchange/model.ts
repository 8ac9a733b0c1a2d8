import type { Question } from '#contract/questions.ts';

/** Formats that tests come in and go out in. */
export type FormatId =
  | 'gift'
  | 'aiken'
  | 'moodleXml'
  | 'qti2'
  | 'qti3'
  | 'csv'
  | 'xlsx'
  | 'docx'
  | 'markedText';

/** A file as it was picked. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A question that comes in; pictures in its texts are `file:KEY` with keys of `pictures`. */
export interface ImportedItem {
  readonly question: Question;
  /** Where it stands: «строка 12», «item-3.xml». */
  readonly place: string;
  /** What of it could not be carried and why, in Russian, a line each. Empty: all came. */
  readonly losses: readonly string[];
}

/** A question, or what seemed one, that does not come in. */
export interface RefusedItem {
  readonly place: string;
  /** How it begins, so that the teacher knows it; may be empty. */
  readonly excerpt: string;
  /** In Russian: what is wrong and what to do. */
  readonly reason: string;
}

export interface ImportedPicture {
  /** A UUID made by the reader; the texts name it. */
  readonly key: string;
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface Imported {
  readonly format: FormatId;
  /** Name of the test, where the file tells one. */
  readonly title: string | null;
  readonly items: readonly ImportedItem[];
  readonly refused: readonly RefusedItem[];
  readonly pictures: readonly ImportedPicture[];
  /** What concerns the file as a whole, in Russian: its encoding, what else lay in the archive. */
  readonly notes: readonly string[];
}

/** What readers get from outside. */
export interface Tools {
  readonly newId: () => string;
}

/**
 * Reads a whole file.
 * @throws {UnreadableFile} nothing of it can be read
 */
export type Reader = (file: GivenFile, tools: Tools) => Promise<Imported>;

/** A file of which nothing can be read; `message` is Russian and says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export interface ExportedTest {
  readonly title: string;
  readonly questions: readonly Question[];
  /** Pictures that the questions name, by key; one that is missing is a loss. */
  readonly pictures: ReadonlyMap<string, { readonly mimeType: string; readonly bytes: Uint8Array }>;
}

export interface Exported {
  /** With its extension. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** What the format cannot carry, a line each, in Russian, naming the question by its number. */
  readonly losses: readonly string[];
}

export type Writer = (test: ExportedTest) => Promise<Exported>;

/** A question as two tests are compared: without ids, what it came from, and how it is drawn. */
export type ComparableQuestion = Readonly<Record<string, unknown>>;
