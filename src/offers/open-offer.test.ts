import { createHmac } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { fromBase64Url, toBase64Url } from '#domain/base64url.ts';
import type { StoredOffer } from '#app/storage/offer-database.ts';
import { deriveCodeKey } from './derive-code-key.ts';
import { isOfferOf, openOffer } from './open-offer.ts';
import {
  CODE,
  CONTENT_KEY,
  deviceKeyFor,
  OFFER_ID,
  OFFERED,
  PICTURE,
  sealOffer,
} from './testing.ts';

const STREAM = '0197f0a0-0000-7000-8000-0000000000aa';

test('the code and the device key together open the whole content, and prove it', async () => {
  const key = await deviceKeyFor(1);
  const opened = await openOffer(await sealOffer(key), CODE, key, STREAM);
  const proof = createHmac('sha256', CONTENT_KEY).update(`begin/${OFFER_ID}/${STREAM}`);
  expect(opened).toEqual({
    questions: OFFERED,
    files: [{ key: PICTURE, text: JSON.stringify({ item1: btoa('png'), item2: 'image/png' }) }],
    proof: proof.digest('base64url'),
  });
});

test('the code’s key is the one that the server derives', async () => {
  const salt = new Uint8Array(16).fill(9);
  const server = await hashRaw(CODE, {
    salt,
    // Argon2id, of a const enum that is not there at run time.
    algorithm: 2,
    memoryCost: 1024,
    timeCost: 3,
    parallelism: 1,
    outputLen: 32,
  });
  const here = await deriveCodeKey(CODE, salt, { memoryKib: 1024, passes: 3 });
  expect(toBase64Url(here)).toBe(server.toString('base64url'));
});

test.each(['CHKMPTX23457', '987654321XTP', 'C'])(
  'a wrong code opens nothing, and its answer does not say how near it was: «%s»',
  async (code) => {
    const key = await deviceKeyFor(1);
    expect(await openOffer(await sealOffer(key), code, key, STREAM)).toBe('wrongCode');
  },
);

test('another student’s key opens nothing, even with the right code', async () => {
  const stored = await sealOffer(await deviceKeyFor(1));
  const other = await deviceKeyFor(2);
  expect(await isOfferOf(stored.offer, other)).toBe(false);
  expect(await openOffer(stored, CODE, other, STREAM)).toBe('damaged');
});

test('without WebAssembly nothing is tried', async () => {
  const key = await deviceKeyFor(1);
  const stored = await sealOffer(key);
  vi.stubGlobal('WebAssembly', undefined);
  const opened = await openOffer(stored, CODE, key, STREAM);
  vi.unstubAllGlobals();
  expect(opened).toBe('noWasm');
});

/** The text with one character in its middle changed. */
function spoil(base64url: string): string {
  const bytes = fromBase64Url(base64url);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return toBase64Url(bytes);
}

describe('a damaged offer is never half opened', () => {
  const damages: Record<string, (stored: StoredOffer) => StoredOffer> = {
    'a changed key': ({ offer, files }) => ({
      offer: { ...offer, wrappedKey: spoil(offer.wrappedKey) },
      files,
    }),
    'a truncated key': ({ offer, files }) => ({
      offer: { ...offer, wrappedKey: offer.wrappedKey.slice(0, 20) },
      files,
    }),
    'a key that is no base64': ({ offer, files }) => ({
      offer: { ...offer, wrappedKey: 'щ' },
      files,
    }),
    'a changed content': ({ offer, files }) => ({
      offer: { ...offer, content: spoil(offer.content) },
      files,
    }),
    'a truncated content': ({ offer, files }) => ({
      offer: { ...offer, content: offer.content.slice(0, -8) },
      files,
    }),
    'an empty content': ({ offer, files }) => ({ offer: { ...offer, content: '' }, files }),
    'another offer’s id': ({ offer, files }) => ({
      offer: { ...offer, offerId: STREAM },
      files,
    }),
    'a truncated file': ({ offer, files }) => ({
      offer,
      files: files.map((file) => file.slice(0, -1)),
    }),
    'a missing file': ({ offer }) => ({ offer, files: [] }),
  };
  test.each(Object.keys(damages))('%s', async (name) => {
    const key = await deviceKeyFor(1);
    const damage = damages[name];
    const stored = await sealOffer(key);
    expect(await openOffer(damage?.(stored) ?? stored, CODE, key, STREAM)).toBe('damaged');
  });
});
