import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { JSON_BODY_BYTES } from '#contract/limits.ts';
import type { Route } from '#contract/route.ts';
import { formatSize } from '#domain/format.ts';
import type { BlobStore, Incoming } from '#server/files/store/blob-store.ts';
import { isStorable } from './read-json.ts';
import { type FieldWord, Refusal, invalid } from './refusal.ts';

/** A file of a form: in a temporary file, gone when the handler has ended without keeping it. */
export interface FormFile {
  /** As the device sent it: never a path of ours, not fit to be shown before it is cleaned. */
  readonly name: string;
  readonly incoming: Incoming;
}

/** A form as it came: its text fields, not parsed yet, and its files. */
export interface Form {
  readonly fields: Record<string, string>;
  readonly files: Readonly<Record<string, FormFile>>;
  /** Removes what is left of the files. */
  discard(): Promise<void>;
}

const FIELDS_MOST = 50;
const FIELD_BYTES = 64 * 1024;

const once = (field: string): FieldWord => ({ field, message: 'Поле отправлено дважды' });

const tooLarge = (field: string, most: number) => {
  const message = `Файл больше ${formatSize(most)}. Выберите файл поменьше`;
  return new Refusal('TOO_LARGE', { message, details: { fields: [{ field, message }] } });
};

/** Bytes that a whole form of a route may have. */
const formBytes = ({ files = {} }: Pick<Route, 'files'>): number =>
  Object.values(files).reduce((sum, most) => sum + most, JSON_BODY_BYTES);

function makeParser(headers: IncomingMessage['headers']): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fieldSize: FIELD_BYTES,
        fields: FIELDS_MOST,
        files: FIELDS_MOST,
        parts: FIELDS_MOST,
        headerPairs: 50,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    // No boundary, or one that is none.
    throw new Refusal('BAD_REQUEST');
  }
}

/** One form on its way in. */
class FormReading {
  readonly #limits: Readonly<Record<string, number>>;
  readonly #blobs: Pick<BlobStore, 'receive'>;
  readonly #fields = new Map<string, string>();
  readonly #files = new Map<string, FormFile>();
  readonly #seen = new Set<string>();
  readonly #streams = new Set<Readable>();
  readonly #arriving: Promise<void>[] = [];
  readonly #fail: (error: unknown) => void;

  constructor(
    limits: Readonly<Record<string, number>>,
    blobs: Pick<BlobStore, 'receive'>,
    fail: (error: unknown) => void,
  ) {
    this.#limits = limits;
    this.#blobs = blobs;
    this.#fail = fail;
  }

  /** A name that comes first and that no prototype knows. */
  #isNew(name: string | undefined): name is string {
    // Schemas look fields up by name: `__proto__` and its like would pass as known.
    if (name === undefined || name in Object.prototype || !isStorable(name)) {
      this.#fail(new Refusal('BAD_REQUEST'));
      return false;
    }
    if (this.#seen.has(name)) {
      this.#fail(invalid([once(name)]));
      return false;
    }
    this.#seen.add(name);
    return true;
  }

  field(name: string | undefined, value: string, isCut: boolean): void {
    if (!this.#isNew(name)) return;
    if (isCut) return this.#fail(invalid([{ field: name, message: 'Текст слишком длинный' }]));
    if (!isStorable(value))
      return this.#fail(invalid([{ field: name, message: 'Текст содержит недопустимые символы' }]));
    this.#fields.set(name, value);
  }

  file(name: string | undefined, stream: Readable, fileName: string | undefined): void {
    this.#streams.add(stream);
    // The iteration that reads it hears the error, too.
    stream.on('error', () => undefined);
    if (!this.#isNew(name)) return;
    const most = this.#limits[name];
    if (most === undefined) return this.#fail(invalid([{ field: name, message: 'Лишнее поле' }]));
    this.#arriving.push(
      this.#receive(name, stream, fileName ?? '', most).catch((error: unknown) =>
        this.#fail(
          error instanceof Refusal && error.code === 'TOO_LARGE' ? tooLarge(name, most) : error,
        ),
      ),
    );
  }

  async #receive(name: string, stream: Readable, fileName: string, most: number): Promise<void> {
    const incoming = await this.#blobs.receive(stream, most);
    // What a browser sends for a file field that was left empty.
    if (fileName === '' && incoming.size === 0) return incoming.discard();
    this.#files.set(name, { name: fileName, incoming });
  }

  /** Once all that was sent has been read. */
  async whole(): Promise<Form> {
    await Promise.all(this.#arriving);
    return {
      fields: Object.fromEntries(this.#fields),
      files: Object.fromEntries(this.#files),
      discard: () => this.discard(),
    };
  }

  async discard(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    await Promise.all(this.#arriving);
    for (const { incoming } of this.#files.values()) await incoming.discard();
  }
}

/**
 * Streams a multipart form in: text fields to memory, files to temporary files. A refused form is not
 * read any further into anything: the rest of its bytes is let go by, so that the reply is heard.
 * @throws {Refusal} VALIDATION for doubled and unknown fields, TOO_LARGE, STORAGE_FULL, BAD_REQUEST for
 * what is no whole form; no temporary file is left then
 */
export async function readForm(
  raw: IncomingMessage,
  route: Pick<Route, 'files'>,
  blobs: Pick<BlobStore, 'receive'>,
): Promise<Form> {
  const parser = makeParser(raw.headers);
  const most = formBytes(route);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const reading = new FormReading(route.files ?? {}, blobs, (error) => fail(error));
  const broken = () => fail(new Refusal('BAD_REQUEST'));
  let size = 0;
  const count = (piece: Buffer) => {
    size += piece.length;
    if (size > most) fail(new Refusal('TOO_LARGE'));
  };
  const closed = () => {
    if (!raw.readableEnded) broken();
  };
  const parsed = new Promise<void>((resolve) => {
    parser.on('finish', resolve);
  });
  parser.on('field', (name, value, _isNameCut, isCut) => reading.field(name, value, isCut));
  parser.on('file', (name, stream, fileName) => reading.file(name, stream, fileName));
  parser.on('error', broken);
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, broken);
  raw.on('data', count);
  raw.on('error', broken);
  raw.on('close', closed);
  raw.pipe(parser);
  try {
    await Promise.race([parsed, failed]);
    return await Promise.race([reading.whole(), failed]);
  } catch (error) {
    raw.unpipe(parser);
    raw.resume();
    await reading.discard();
    throw error;
  } finally {
    raw.off('data', count);
    raw.off('close', closed);
  }
}
