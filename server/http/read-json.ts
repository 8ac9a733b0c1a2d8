import { Refusal, invalid } from './refusal.ts';

const MAX_DEPTH = 32;
/**
 * Fewest bytes of a body for each of its values: an id of a list has 39, a question over 30 for
 * each field. A body of `{},{},…` has 3, and would cost far more to read than its size.
 */
const MIN_BYTES_PER_VALUE = 24;
/** Maximum number of names in one object; no body of the contract has so many. */
const MAX_NAMES = 200;
/** Initial count of a list, which never reaches the number of names that an object may have. */
const NO_NAMES = Number.NEGATIVE_INFINITY;
/** Values that even a small body may have. */
const MIN_VALUES = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
const CLOSERS: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Position of the quote that ends the text begun before `from`; the end of the body if there is none. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}

/**
 * Whether JSON is as shallow and as narrow as bodies sent by screens. Decided from its bytes, before it is parsed.
 * @param limit of the body in bytes
 */
function isModestJson(bytes: Buffer, limit: number): boolean {
  const maxValues = Math.max(MIN_VALUES, limit / MIN_BYTES_PER_VALUE);
  let values = 1;
  /** Names of each open object; a list has none. */
  const names: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) {
      values += 1;
      const named = (names.pop() ?? NO_NAMES) + 1;
      if (named > MAX_NAMES) return false;
      names.push(named);
    } else if (byte === OBJECT || byte === LIST) {
      values += 1;
      names.push(byte === OBJECT ? 1 : NO_NAMES);
      if (names.length > MAX_DEPTH) return false;
    } else if (CLOSERS.has(byte)) names.pop();
    if (values > maxValues) return false;
  }
  return true;
}
// oxlint-disable-next-line no-control-regex -- PostgreSQL stores neither NUL nor half a surrogate pair.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;
// oxlint-disable-next-line no-control-regex -- the same, all of them.
const ALL_UNSTORABLE = /\u0000|\p{Surrogate}/gu;

/** Whether the database can store the text. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** How text that the database cannot store is treated. */
export type OnUnstorable = 'refuse' | 'replace';

/** The keys from the top of a body to one of its values. */
interface Path {
  readonly parent: Path | null;
  readonly key: string | number;
}

/** Formatted only for a refusal: a wide body would create thousands of paths. */
function formatPath(path: Path | null): string {
  const keys: (string | number)[] = [];
  for (let at = path; at !== null; at = at.parent) keys.unshift(at.key);
  return keys.join('.');
}

const storable = (text: string, path: Path | null, policy: OnUnstorable): string => {
  if (isStorable(text)) return text;
  if (policy === 'replace') return text.replace(ALL_UNSTORABLE, '\uFFFD');
  throw invalid([{ field: formatPath(path), message: 'Текст содержит недопустимые символы' }]);
};

function clean(value: unknown, path: Path | null, policy: OnUnstorable): unknown {
  if (typeof value === 'string') return storable(value, path, policy);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Refusal('BAD_REQUEST');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, key) => clean(item, { parent: path, key }, policy));
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // Schemas look fields up by name: `__proto__`, `constructor` and the like would pass as known.
    if (key in Object.prototype || !isStorable(key)) throw new Refusal('BAD_REQUEST');
    result[key] = clean(item, { parent: path, key }, policy);
  }
  return result;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

interface ReadJsonOptions {
  /** Largest body of the call in bytes. */
  readonly limit: number;
  readonly onUnstorable?: OnUnstorable;
}

/**
 * Parses a JSON body of UTF-8 bytes into plain values that the database can store.
 * @throws {Refusal} BAD_REQUEST for invalid JSON, and for more values or levels than any screen sends;
 *   VALIDATION for text that cannot be stored
 */
export function readJson(
  bytes: Buffer,
  { limit, onUnstorable = 'refuse' }: ReadJsonOptions,
): unknown {
  if (!isModestJson(bytes, limit)) throw new Refusal('BAD_REQUEST');
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('BAD_REQUEST');
  }
  return clean(parsed, null, onUnstorable);
}
