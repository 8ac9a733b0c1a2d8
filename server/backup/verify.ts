import * as v from 'valibot';
import { OperatorError } from '#server/db/operator-error.ts';
import { type ReadEntry, readArchive, readWhole } from './archive-reader.ts';
import {
  AnyOpening,
  type Digest,
  FORMAT_VERSION,
  MANIFEST,
  Manifest,
  Opening,
  OPENING,
} from './format.ts';
import { damaged, goOn } from './backup-error.ts';

/** A verified backup. */
export interface VerifiedBackup {
  readonly opening: Opening;
  readonly manifest: Manifest;
}

const OPENING_BYTES = 16 * 1024 * 1024;
/** Two hundred bytes for each handed-in file. */
const MANIFEST_BYTES = 512 * 1024 * 1024;
const NEW_LINE = 10;

function parse<const S extends v.GenericSchema>(
  schema: S,
  bytes: Buffer,
  path: string,
): v.InferOutput<S> {
  try {
    return v.parse(schema, JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw damaged(path, 'в нём нет описания резервной копии', error);
  }
}

const newer = (path: string, version: string): OperatorError =>
  new OperatorError(
    `Резервная копия ${path} сделана более новой программой (${version}). Обновите программу и запустите восстановление ещё раз.`,
  );

const foreign = (path: string, { productVersion }: Opening, reason: string): OperatorError =>
  new OperatorError(
    `Резервная копия ${path} сделана другой программой: ${reason}. Возьмите программу версии ${productVersion}.`,
  );

function openingOf(bytes: Buffer, path: string): Opening {
  const { formatVersion, productVersion } = parse(AnyOpening, bytes, path);
  if (formatVersion > FORMAT_VERSION) throw newer(path, productVersion);
  return parse(Opening, bytes, path);
}

/** Numbers of `1.2.3+build`; a part that is no number counts as none. */
const numbersOf = (version: string): number[] =>
  (version.split('+')[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);

const isNewer = (one: string, other: string): boolean => {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((part, index) => part !== (b[index] ?? 0));
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
};

/** Refuses what this program, with its migrations, cannot restore. */
export function refuseNewer(
  opening: Opening,
  known: { productVersion: string; migrations: ReadonlyMap<string, string> },
  path: string,
): void {
  const strange = opening.migrations.find(({ name }) => !known.migrations.has(name));
  if (strange && isNewer(known.productVersion, opening.productVersion))
    throw foreign(path, opening, `шаг ${strange.name} её базы данных здесь неизвестен`);
  if (strange || isNewer(opening.productVersion, known.productVersion))
    throw newer(path, opening.productVersion);
  const changed = opening.migrations.find(
    ({ name, sha256 }) => known.migrations.get(name) !== sha256,
  );
  if (changed)
    throw foreign(path, opening, `шаг ${changed.name} её базы данных не такой, как здесь`);
}

/** The description of a backup alone. @throws {OperatorError} when the file is not a backup */
export async function readOpening(path: string): Promise<Opening> {
  let opening: Opening | undefined;
  await readArchive(path, async (entry) => {
    if (entry.name !== OPENING) throw damaged(path, 'это не резервная копия этой программы');
    opening = openingOf(await readWhole(entry, OPENING_BYTES, path), path);
    return 'stop';
  });
  if (!opening) throw damaged(path, 'он пуст');
  return opening;
}

async function countLines(entry: ReadEntry): Promise<number> {
  let lines = 0;
  for await (const piece of entry.bytes)
    for (let at = piece.indexOf(NEW_LINE); at !== -1; at = piece.indexOf(NEW_LINE, at + 1))
      lines += 1;
  return lines;
}

/** Compares the entries with the manifest, byte by byte. */
export function refuseOthers(read: readonly Digest[], manifest: Manifest, path: string): void {
  const wrong = manifest.entries.find(({ name, size, sha256 }, index) => {
    const found = read[index];
    return found?.name !== name || found.size !== size || found.sha256 !== sha256;
  });
  if (wrong) throw damaged(path, `запись ${wrong.name} не такая, какой была при создании`);
  if (read.length !== manifest.entries.length + 1)
    throw damaged(path, 'в нём больше записей, чем было при создании');
}

function refuseOtherRows(
  rows: ReadonlyMap<string, number>,
  { opening, manifest }: VerifiedBackup,
  path: string,
) {
  for (const { name } of opening.tables)
    if ((rows.get(name) ?? 0) !== manifest.rows[name])
      throw damaged(path, `в таблице ${name} не столько строк, сколько было при создании`);
  const strange = [...rows.keys()].find(
    (name) => !opening.tables.some((table) => table.name === name),
  );
  if (strange !== undefined) throw damaged(path, `в нём есть неизвестная таблица ${strange}`);
}

/**
 * Reads a backup to its end and verifies everything: order, checksums and sizes of all entries, rows of all
 * tables. Changes nothing.
 * @throws {OperatorError} when something does not match
 */
export async function verifyBackup(
  path: string,
  watch: {
    signal?: AbortSignal | undefined;
    progress?: (read: number) => void;
    /** May throw, before the rest is read. */
    onOpening?: (opening: Opening) => void;
  } = {},
): Promise<VerifiedBackup> {
  let opening: Opening | undefined;
  let manifest: Manifest | undefined;
  let bytes = 0;
  const rows = new Map<string, number>();
  const read = await readArchive(path, async (entry) => {
    goOn(watch.signal);
    watch.progress?.((bytes += entry.size));
    if (!opening) {
      if (entry.name !== OPENING) throw damaged(path, 'это не резервная копия этой программы');
      opening = openingOf(await readWhole(entry, OPENING_BYTES, path), path);
      watch.onOpening?.(opening);
    } else if (manifest) throw damaged(path, 'после его конца есть ещё записи');
    else if (entry.name === MANIFEST)
      manifest = parse(Manifest, await readWhole(entry, MANIFEST_BYTES, path), path);
    else if (entry.place.kind === 'table')
      rows.set(entry.place.table, (rows.get(entry.place.table) ?? 0) + (await countLines(entry)));
    else await countLines(entry);
  });
  if (!opening || !manifest) throw damaged(path, 'он обрывается, не дойдя до конца');
  refuseOthers(read, manifest, path);
  refuseOtherRows(rows, { opening, manifest }, path);
  return { opening, manifest };
}
