import type { Offer } from '#contract/offers.ts';
import type { StudentQuestion } from '#contract/questions.ts';
import { toBase64Url } from '#domain/base64url.ts';
import { importDeviceKey, utf8 } from '#app/storage/cipher.ts';
import type { StoredOffer } from '#app/storage/offer-database.ts';
import { deriveCodeKey } from './derive-code-key.ts';

/** For tests: offers as the server makes them, with a code that costs little. */

export const CODE = 'CHKMPTX23456';
export const OFFER_ID = '0197f0a0-0000-7000-8000-0000000000f1';
export const OFFERED_TEST = '0197f0a0-0000-7000-8000-0000000000f2';
export const PICTURE = '0197f0a0-0000-7000-8000-0000000000f3';

export const OFFERED: readonly StudentQuestion[] = [
  {
    questionId: '0197f0a0-0000-7000-8000-0000000000f4',
    kind: 'open',
    text: `Что на картинке? ![](file:${PICTURE})`,
    points: 1,
    input: 'line',
  },
];

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOfKey = (fill: number): Bytes => new Uint8Array(32).fill(fill);

/** The key that the server gives a person at the sign-in. */
export async function deviceKeyFor(fill: number): Promise<CryptoKey> {
  const key = await importDeviceKey(toBase64Url(bytesOfKey(fill)));
  if (!key) throw new Error('there is no WebCrypto');
  return key;
}

async function seal(key: CryptoKey | Bytes, place: string, plain: Bytes): Promise<Bytes> {
  const aes =
    key instanceof Uint8Array
      ? await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
      : key;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const parameters = { name: 'AES-GCM', iv, additionalData: utf8(place) };
  const cipher = await crypto.subtle.encrypt(parameters, aes, plain);
  return new Uint8Array([...iv, ...new Uint8Array(cipher)]);
}

export const CONTENT_KEY = bytesOfKey(7);

/** An offer with one picture, for the holder of this key. */
export async function sealOffer(
  deviceKey: CryptoKey,
  changes: Partial<Offer> = {},
): Promise<StoredOffer> {
  const offerId = changes.offerId ?? OFFER_ID;
  const salt = new Uint8Array(16).fill(3);
  const code = { salt: toBase64Url(salt), memoryKib: 64, passes: 1 };
  const codeKey = await deriveCodeKey(CODE, salt, code);
  const inner = await seal(codeKey, `offer-key/${offerId}`, CONTENT_KEY);
  const wrapped = await seal(deviceKey, `offer-key/${offerId}`, inner);
  const questions = utf8(JSON.stringify({ questions: OFFERED }));
  const content = await seal(CONTENT_KEY, `offer-content/${offerId}`, questions);
  const reply = utf8(JSON.stringify({ item1: btoa('png'), item2: 'image/png' }));
  const file = await seal(CONTENT_KEY, `offer-file/${offerId}/${PICTURE}`, reply);
  const offer: Offer = {
    offerId,
    testId: OFFERED_TEST,
    title: 'Законы Ньютона',
    attemptNumber: 1,
    attemptsCount: 1,
    totalQuestions: OFFERED.length,
    duration: '00:40:00',
    opensAt: null,
    endsAt: null,
    lateWindow: '00:15:00',
    offlineWindow: '03:00:00',
    madeAt: '2026-05-21T06:00:00.000Z',
    code,
    wrappedKey: toBase64Url(wrapped),
    content: toBase64Url(content),
    files: [{ key: PICTURE, bytes: 3 }],
    ...changes,
  };
  return { offer, files: [file.buffer] };
}
