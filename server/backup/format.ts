import * as v from 'valibot';

/** Marks every backup, so that another archive is not mistaken for one. */
export const FORMAT = 'exam-room-backup';
/** Rises when an older program could no longer read the file. */
export const FORMAT_VERSION = 1;

/** First entry: describes the backup. */
export const OPENING = 'backup.json';
/** Last entry: lists the contents for verification. */
export const MANIFEST = 'manifest.json';

const Identifier = v.pipe(v.string(), v.regex(/^[a-z_][a-z0-9_]{0,62}$/));
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Read first: whether this program can read the rest. */
export const AnyOpening = v.looseObject({
  format: v.literal(FORMAT),
  formatVersion: Count,
  productVersion: v.string(),
});

export const Opening = v.object({
  format: v.literal(FORMAT),
  formatVersion: v.literal(FORMAT_VERSION),
  /** `1.0.0+abcdef12`. */
  productVersion: v.string(),
  madeAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Epoch of the server it was made from; null: no server ever used the database. */
  epoch: v.nullable(Count),
  migrations: v.array(v.object({ name: v.string(), sha256: Sha256 })),
  tables: v.array(v.object({ name: Identifier, columns: v.array(Identifier) })),
  /** Identity columns and their last value; null: none yet. */
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
  /** Files that the database names and that were missing or damaged. */
  missing: v.array(v.string()),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** The kinds of entries. Files retain their names: a hash, a UUID, a plain name. */
export type ArchiveOffset =
  | { kind: 'opening' }
  | { kind: 'manifest' }
  | { kind: 'table'; table: string }
  | { kind: 'blob'; sha256: string }
  | { kind: 'upload'; file: string }
  | { kind: 'lan'; file: string };

const PLACES: readonly (readonly [RegExp, (name: string) => ArchiveOffset])[] = [
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

/** The path of an entry; null: no backup has an entry of such a name, wherever it points. */
export function archiveEntryOf(name: string): ArchiveOffset | null {
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
