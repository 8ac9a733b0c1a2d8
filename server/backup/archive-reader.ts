import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Entry } from 'tar-stream';
import { codeOf, OperatorError } from '#server/db/operator-error.ts';
import { type Digest, type ArchiveOffset, archiveEntryOf } from './format.ts';
import { damaged } from './backup-error.ts';

/** An entry of the stream; its bytes can be read once, now. */
export interface ReadEntry {
  readonly name: string;
  readonly size: number;
  readonly place: ArchiveOffset;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Returned by a visitor: `stop` ends the reading. */
export type Visit = (entry: ReadEntry) => Promise<'stop' | void>;

const UNREADABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EISDIR', 'EIO']);

/** The operator's message for a failure of the file or the archive. */
function asReadError(error: unknown, path: string): unknown {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error) ?? '';
  if (code === 'ENOENT') return new OperatorError(`Файла ${path} нет.`, { cause: error });
  if (UNREADABLE.has(code))
    return new OperatorError(`Файл ${path} не читается (${code}).`, { cause: error });
  return damaged(path, 'он обрывается, изменён или это не резервная копия', error);
}

/** An error of the visitor passes through unchanged: it is no failure of the archive. */
class VisitorError extends Error {}

async function visitEntry(entry: Entry, path: string, visit: Visit): Promise<Digest | null> {
  const { name, size = 0, type } = entry.header;
  const place = type === 'file' ? archiveEntryOf(name) : null;
  if (!place) throw damaged(path, 'в нём есть то, чего в резервной копии не бывает');
  const hash = createHash('sha256');
  let came = 0;
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of entry) {
        hash.update(piece);
        came += piece.length;
        yield piece;
      }
    } catch (error) {
      throw asReadError(error, path);
    }
  }
  const answer = await visit({ name, size, place, bytes: bytes() }).catch((error: unknown) => {
    throw new VisitorError('', { cause: error });
  });
  if (answer === 'stop') return null;
  if (came !== size) throw damaged(path, `в нём не весь файл ${name}`);
  return { name, size, sha256: hash.digest('hex') };
}

/**
 * Reads an archive from begin to end; every visitor reads its entry whole or stops. Returns the entries read,
 * in order.
 * @throws {OperatorError} when the file is missing, damaged or truncated
 */
export async function readArchive(path: string, visit: Visit): Promise<Digest[]> {
  const source = createReadStream(path);
  const extractor = extract();
  let broken: unknown;
  const reading = pipeline(source, createGunzip(), extractor).catch((error: unknown) => {
    broken ??= error;
  });
  const digests: Digest[] = [];
  try {
    for await (const entry of extractor) {
      const digest = await visitEntry(entry, path, visit);
      if (digest === null) return digests;
      digests.push(digest);
    }
  } catch (error) {
    if (error instanceof VisitorError) throw error.cause;
    source.destroy();
    await reading;
    const isExplained = error instanceof OperatorError || codeOf(broken) === undefined;
    throw asReadError(isExplained ? error : broken, path);
  } finally {
    source.destroy();
  }
  await reading;
  if (broken !== undefined) throw asReadError(broken, path);
  return digests;
}

/** All bytes of a small entry. @throws {OperatorError} when it is too large to be one */
export async function readWhole(entry: ReadEntry, most: number, path: string): Promise<Buffer> {
  if (entry.size > most) throw damaged(path, `запись ${entry.name} слишком велика`);
  const pieces: Buffer[] = [];
  for await (const piece of entry.bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}
