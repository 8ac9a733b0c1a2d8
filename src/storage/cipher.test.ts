import { afterEach, expect, test, vi } from 'vitest';
import { decryptBytes, encryptBytes, fromText, importDeviceKey, toText } from './cipher.ts';

const KEY = 'A'.repeat(42) + 'E';
const PLAIN = Uint8Array.of(1, 2, 3);

async function keyOf(text: string): Promise<CryptoKey> {
  const key = await importDeviceKey(text);
  if (!key) throw new Error('no WebCrypto');
  return key;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a ciphertext decrypts with its key and place, and with no other', async () => {
  const key = await keyOf(KEY);
  const ciphered = await encryptBytes(key, 'a place', PLAIN);
  expect(await decryptBytes(key, 'a place', ciphered)).toEqual(PLAIN);
  expect(await decryptBytes(key, 'another place', ciphered)).toBeNull();
  expect(await decryptBytes(await keyOf('B'.repeat(42) + 'E'), 'a place', ciphered)).toBeNull();
  const damaged = { ...ciphered, cipher: ciphered.cipher.slice(1) };
  expect(await decryptBytes(key, 'a place', damaged)).toBeNull();
});

test('the same bytes are never encrypted to the same ciphertext', async () => {
  const key = await keyOf(KEY);
  const [one, two] = [await encryptBytes(key, 'p', PLAIN), await encryptBytes(key, 'p', PLAIN)];
  expect(new Uint8Array(one.iv)).not.toEqual(new Uint8Array(two.iv));
});

test('empty plaintext round-trips', async () => {
  const key = await keyOf(KEY);
  const ciphered = await encryptBytes(key, 'p', new Uint8Array());
  expect(await decryptBytes(key, 'p', ciphered)).toEqual(new Uint8Array());
});

test.each([
  ['shorter', Uint8Array.of(1, 2)],
  ['longer', Uint8Array.of(1, 2, 3, 4)],
  ['other', Uint8Array.of(1, 2, 4)],
])('a ciphertext that decrypts to something %s is rejected', async (_, bytes) => {
  const key = await keyOf(KEY);
  vi.spyOn(crypto.subtle, 'decrypt').mockResolvedValue(bytes.buffer);
  await expect(encryptBytes(key, 'p', PLAIN)).rejects.toThrow('does not open again');
});

test('a ciphertext that does not decrypt again is rejected', async () => {
  const key = await keyOf(KEY);
  vi.spyOn(crypto.subtle, 'decrypt').mockRejectedValue(new Error('no'));
  await expect(encryptBytes(key, 'p', PLAIN)).rejects.toThrow('does not open again');
});

test('a key is decoded from base64url and is not extractable', async () => {
  const key = await keyOf('-_'.repeat(21) + '8');
  expect(key.extractable).toBe(false);
  const same = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(atob('+/'.repeat(21) + '8='), (one) => one.charCodeAt(0)),
    'AES-GCM',
    false,
    ['decrypt'],
  );
  expect(await decryptBytes(same, 'p', await encryptBytes(key, 'p', PLAIN))).toEqual(PLAIN);
});

test.each([{ getRandomValues: null }, undefined])(
  'in an insecure context there is no key (%#)',
  async (replaced) => {
    vi.stubGlobal('crypto', replaced);
    expect(await importDeviceKey(KEY)).toBeNull();
  },
);

const roundTrip = (value: unknown): unknown => {
  const text = toText(value);
  return text === null ? 'no text' : fromText(text);
};

test.each([
  [null],
  ['a text'],
  [0.5],
  [true],
  [[1, [2]]],
  [{ a: { b: null } }],
  [Uint8Array.of(1, 2, 255).buffer],
  [{ a: [Uint8Array.of(7).buffer] }],
  [new ArrayBuffer(0)],
  [undefined],
  [Number.NaN],
  [Infinity],
  [new Date(0)],
  [new Date(Number.NaN)],
  [1n],
  [{ a: undefined }],
  [{ a: [new Date(0), Number.NaN] }],
])('row values round-trip: %#', (value) => {
  const found = roundTrip(value);
  expect(found).toStrictEqual(value);
  expect(found instanceof ArrayBuffer).toBe(value instanceof ArrayBuffer);
});

test.each([
  [new Map()],
  [Uint8Array.of(1)],
  [() => 1],
  [{ a: [new Map()] }],
  [{ a: 1, b: new Map() }],
  [Object.create(null)],
])('values that do not round-trip have no text: %#', (value) => {
  expect(toText(value)).toBeNull();
});
