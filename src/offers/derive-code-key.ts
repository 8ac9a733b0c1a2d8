import { argon2id } from 'hash-wasm';
import type { Offer } from '#contract/offers.ts';

/**
 * The key that a start code stands for. Argon2id makes each guess cost memory and time; there is no weaker variant where
 * WebAssembly is missing, since it would weaken every offer.
 */
export async function deriveCodeKey(
  code: string,
  salt: Uint8Array<ArrayBuffer>,
  { memoryKib, passes }: Pick<Offer['code'], 'memoryKib' | 'passes'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await argon2id({
    password: code,
    salt,
    parallelism: 1,
    iterations: passes,
    memorySize: memoryKib,
    hashLength: 32,
    outputType: 'binary',
  });
  return new Uint8Array(key);
}
