import { comparable } from '#interchange/comparable.ts';
import type { Imported } from '#interchange/model.ts';

/** 53 bits of two multiplicative hashes: Web Crypto is absent without HTTPS. */
function digest(bytes: Uint8Array): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 0x01000193);
    low = Math.imul(low ^ byte, 0x85ebca6b);
  }
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(36);
}

/** Digests of pictures by their keys: every reading creates new keys. */
export const digestsOf = (pictures: Imported['pictures']): ReadonlyMap<string, string> =>
  new Map(pictures.map(({ key, bytes }) => [key, digest(bytes)]));

/**
 * Identifies each item of a file independent of the ids that its reader creates: the same item gets the same source
 * when the file is read again.
 */
export function sourcesOf(
  { items, pictures }: Pick<Imported, 'items' | 'pictures'>,
  digests = digestsOf(pictures),
): string[] {
  const encoder = new TextEncoder();
  return items.map(({ question }) => {
    const text = JSON.stringify(comparable(question)).replaceAll(
      /\((?:audio-)?file:([0-9a-f-]{36})\)/g,
      (whole, key: string) => digests.get(key) ?? whole,
    );
    return digest(encoder.encode(text));
  });
}
