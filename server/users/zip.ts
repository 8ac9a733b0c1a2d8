import { Readable } from 'node:stream';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A file of an archive to be. */
export interface ArchivedFile {
  /** With folders, parted by `/`. */
  readonly path: string;
  readonly bytes: string | Buffer | AsyncIterable<Uint8Array>;
}

async function* piecesOf({ bytes }: ArchivedFile): AsyncGenerator<Uint8Array> {
  if (typeof bytes === 'string') yield Buffer.from(bytes, 'utf8');
  else if (Buffer.isBuffer(bytes)) yield bytes;
  else yield* bytes;
}

/** What people write is packed; files that were sent are packed already, or nearly so. */
const entryOf = ({ path, bytes }: ArchivedFile) =>
  typeof bytes === 'string' ? new ZipDeflate(path) : new ZipPassThrough(path);

async function* archive(files: AsyncIterable<ArchivedFile>, now: Date): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    if (bytes.length > 0) ready.push(bytes);
  });
  function* taken() {
    const bytes = ready;
    ready = [];
    yield* bytes;
  }
  for await (const file of files) {
    const entry = entryOf(file);
    entry.mtime = now;
    zip.add(entry);
    for await (const piece of piecesOf(file)) {
      entry.push(piece);
      yield* taken();
    }
    entry.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

/** Files as a ZIP, made while it is read: never more of it in memory than a piece of one file. */
export function zipOf(files: AsyncIterable<ArchivedFile>, now: Date): Readable {
  return Readable.from(archive(files, now), { objectMode: false });
}
