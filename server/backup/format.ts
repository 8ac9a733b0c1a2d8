import * as v from 'valibot';

/** What stands in every backup, so that another archive is not taken for one. */
export const FORMAT = 'exam-room-backup';
/** Rises when an older program could not read the file any more. */
export const FORMAT_VERSION = 1;

/** First entry: what the backup is of. */
export const OPENING = 'backup.json';
/** Last entry: what it holds, to check it by. */
export const MANIFEST = 'manifest.json';

const Identifier = v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Read before all the rest: whether this program may read on. */
export const AnyOpening = v.looseObject({
  format: v.literal(FORMAT),
  formatVersion: Count,
  productVersion: v.string(),
});

export const Opening = v.object({
  format: v.literal(FORMAT),
  formatVersion: v.literal(FORMAT_VERSION),
  /** `0.1.0+abcdef12`. */
  productVersion: v.string(),
  madeAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Epoch of the server that it was made of; null: no server ever worked with the database. */
  epoch: v.nullable(Count),
  migrations: v.array(v.object({ name: v.string(), sha256: Sha256 })),
  tables: v.array(v.object({ name: Identifier, columns: v.array(Identifier) })),
  /** Columns that count by themselves and the last number given; null: none yet. */
  counters: v.array(
    v.object({
      table: Identifier,
      column: Identifier,
      last: v.nullable(v.pipe(v.number(), v.safeInteger())),
    }),
  ),
});
export type Opening = v.InferOutput<typeof Opening>;

const Digest = v.object({ name: v.string(), size: Count, sha256: Sha256 });
/** One entry of the archive as it was read or written. */
export type Digest = v.InferOutput<typeof Digest>;

export const Manifest = v.object({
  /** Every entry before this one, in order. */
  entries: v.array(Digest),
  /** Rows of each table. */
  rows: v.record(Identifier, Count),
  /** Files that the database names and that were not there, or were not what they should be. */
  missing: v.array(v.string()),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** Where an entry belongs. Files keep their names: a hash, a UUID, a plain name. */
export type Place =
  | { kind: 'opening' }
  | { kind: 'manifest' }
  | { kind: 'table'; table: string }
  | { kind: 'blob'; sha256: string }
  | { kind: 'upload'; file: string }
  | { kind: 'lan'; file: string };

const PLACES: readonly (readonly [RegExp, (name: string) => Place])[] = [
  [/^backup\.json$/, () => ({ kind: 'opening' })],
  [/^manifest\.json$/, () => ({ kind: 'manifest' })],
  [/^database\/([a-z_][a-z0-9_]{0,62})\/\d{6}\.copy$/, (table) => ({ kind: 'table', table })],
  [/^blobs\/([0-9a-f]{64})$/, (sha256) => ({ kind: 'blob', sha256 })],
  [
    /^uploads\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.part)?)$/,
    (file) => ({ kind: 'upload', file }),
  ],
  [/^lan\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/, (file) => ({ kind: 'lan', file })],
];

/** The place of an entry; null: no backup has an entry of such a name, whatever it leads to. */
export function placeOf(name: string): Place | null {
  for (const [pattern, make] of PLACES) {
    const found = pattern.exec(name);
    if (found) return make(found[1] ?? '');
  }
  return null;
}

export const tablePart = (table: string, number: number): string =>
  `database/${table}/${String(number).padStart(6, '0')}.copy`;
export const blobEntry = (sha256: string): string => `blobs/${sha256}`;
export const uploadEntry = (file: string): string => `uploads/${file}`;
export const lanEntry = (file: string): string => `lan/${file}`;
