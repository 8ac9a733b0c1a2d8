import type { Offer } from '#contract/offers.ts';
import { readOffer } from '#app/storage/offer-database.ts';
import type { Storage } from '#app/storage/storage.ts';
import { isOfferOf } from './open-offer.ts';

/**
 * Whether a test can begin here without a network.
 * - `insecure`: the address has no TLS, so there is no encryption
 * - `noWasm`: the browser cannot compute the code's key
 * - `noStorage`: the browser stores nothing for this site
 * - `noKey`: this sign-in brought no key, or the device could not store it
 * - `damaged`: the row was truncated, or is not for this person's key; it is fetched again
 */
export type OfferState =
  /** `checkedAt`: when the server last confirmed the offer, server time in milliseconds. */
  | { readonly kind: 'ready'; readonly offer: Offer; readonly checkedAt: number }
  | { readonly kind: OfferProblem };
export type OfferProblem = 'insecure' | 'noWasm' | 'noStorage' | 'noKey' | 'damaged' | 'notFetched';

const readKey = async (owner: string, storage: Storage): Promise<CryptoKey | null> =>
  (await storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner)))?.key ?? null;

/** The key that opens this person's offers, or why there is none. */
export async function deviceKeyOf(
  owner: string,
  storage: Storage,
): Promise<CryptoKey | OfferProblem> {
  if (!globalThis.isSecureContext) return 'insecure';
  if (typeof WebAssembly === 'undefined') return 'noWasm';
  if (!storage.durable) return 'noStorage';
  const key = await readKey(owner, storage).catch(() => null);
  return key ?? 'noKey';
}

/** Whether this person's test can begin here without a network, and if not, why. */
export async function readOfferState(
  owner: string,
  testId: string,
  storage: Storage,
): Promise<OfferState> {
  const key = await deviceKeyOf(owner, storage);
  if (typeof key === 'string') return { kind: key };
  const stored = await readOffer(owner, testId).catch(() => 'noStorage' as const);
  if (stored === null) return { kind: 'notFetched' };
  if (typeof stored === 'string') return { kind: stored };
  const { offer, checkedAt = Date.parse(offer.madeAt) } = stored;
  if (await isOfferOf(offer, key)) return { kind: 'ready', offer, checkedAt };
  return { kind: 'damaged' };
}
