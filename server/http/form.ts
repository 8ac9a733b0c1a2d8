import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { JSON_BODY_BYTES } from '#contract/limits.ts';
import type { Route } from '#contract/route.ts';
import { formatSize } from '#domain/format.ts';
import type { BlobStore, Incoming } from '#server/files/store/blob-store.ts';
import { isStorable } from './read-json.ts';
import { type FieldMessage, Refusal, invalid } from './refusal.ts';

/** A file of a form: in a temporary file, removed after the handler unless stored. */
export interface FormFile {
  /** As the client sent it: never used as a path here, never shown before sanitizing. */
  readonly name: string;
  readonly incoming: Incoming;
}

/** A form as received: its text fields, unparsed, and its files. */
export interface Form {
  readonly fields: Record<string, string>;
  readonly files: Readonly<Record<string, FormFile>>;
  /** Removes the remaining temporary files. */
  discard(): Promise<void>;
}

const MAX_FIELDS = 50;
const FIELD_BYTES = 64 * 1024;

const once = (field: string): FieldMessage => ({ field, message: 'Поле отправлено дважды' });

const tooLarge = (field: string, most: number) => {
  const message = `Файл больше ${formatSize(most)}. Выберите файл поменьше`;
  return new Refusal('TOO_LARGE', { message, details: { fields: [{ field, message }] } });
};

/** Maximum size in bytes of a whole form of a route. */
const formBytes = ({ files = {} }: Pick<Route, 'files'>): number =>
  Object.values(files).reduce((sum, most) => sum + most, JSON_BODY_BYTES);

function makeParser(headers: IncomingMessage['headers']): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fieldSize: FIELD_BYTES,
        fields: MAX_FIELDS,
        files: MAX_FIELDS,
        parts: MAX_FIELDS,
        headerPairs: 50,
        headerSize: 16 * 1024,
      },
    });
  } catch {
    // A missing or invalid boundary.
    throw new Refusal('BAD_REQUEST');
  }
}

/** The state of one form being read. */
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

  /** Whether this is the first occurrence of a name that no prototype has. */
  #isNew(name: string | undefined): name is string {
    // Schemas look fields up by name: `__proto__` and the like would pass as known.
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
    // The iteration that reads the file receives the error, too.
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
    // Browsers send this for an empty file field.
    if (fileName === '' && incoming.size === 0) return incoming.discard();
    this.#files.set(name, { name: fileName, incoming });
  }

  /** Resolves once the whole body has been read. */
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
 * Streams a multipart form: text fields to memory, files to temporary files. The rest of a refused form is
 * discarded, so that the client receives the reply.
 * @throws {Refusal} VALIDATION for duplicate and unknown fields, TOO_LARGE, STORAGE_FULL, BAD_REQUEST for an
 * incomplete form; no temporary file is left then
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
