import { Refusal, invalid } from './refusal.ts';

const DEEPEST = 32;
// oxlint-disable-next-line no-control-regex -- PostgreSQL stores neither NUL nor half a surrogate pair.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;
// oxlint-disable-next-line no-control-regex -- the same, all of them.
const ALL_UNSTORABLE = /\u0000|\p{Surrogate}/gu;

/** Whether the database can store the text. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** How text that the database cannot store is treated. */
export type OnUnstorable = 'refuse' | 'replace';

const storable = (text: string, path: string, policy: OnUnstorable): string => {
  if (isStorable(text)) return text;
  if (policy === 'replace') return text.replace(ALL_UNSTORABLE, '\uFFFD');
  throw invalid([{ field: path, message: 'Текст содержит недопустимые символы' }]);
};

function clean(value: unknown, path: string, depth: number, policy: OnUnstorable): unknown {
  if (typeof value === 'string') return storable(value, path, policy);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Refusal('BAD_REQUEST');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new Refusal('BAD_REQUEST');
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value))
    return value.map((item, index) => clean(item, at(`${index}`), depth + 1, policy));
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // Schemas look fields up by name: `__proto__`, `constructor` and the like would pass as known.
    if (key in Object.prototype || !isStorable(key)) throw new Refusal('BAD_REQUEST');
    result[key] = clean(item, at(key), depth + 1, policy);
  }
  return result;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body of UTF-8 bytes into plain values that the database can store.
 * @throws {Refusal} BAD_REQUEST for invalid JSON, VALIDATION for text that cannot be stored
 */
export function readJson(bytes: Buffer, policy: OnUnstorable = 'refuse'): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('BAD_REQUEST');
  }
  return clean(parsed, '', 0, policy);
}
