import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { TOTP_DIGITS } from '#contract/second-factor.ts';

/** As every authenticator app takes it: RFC 6238 with SHA-1, six digits, 30 seconds. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Steps before and after the present one: clocks of phones differ. */
const WINDOW_STEPS = 1;

export const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });

/**
 * The secret as a person types it, and as a phone reads it from a QR code. The site is named by its
 * host: in Cyrillic the code would have twice as many squares.
 */
export function describeTotpSecret(
  bytes: Buffer,
  { host, email }: { host: string; email: string },
): { secret: string; uri: string } {
  const secret = secretOf(bytes);
  const totp = new TOTP({
    issuer: host,
    label: email,
    secret,
    digits: TOTP_DIGITS,
    period: PERIOD_S,
  });
  return { secret: secret.base32, uri: totp.toString() };
}

/** The step whose code it is, near to `now`; null: it is none. */
export function findTotpStep(secret: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    token: code,
    secret: secretOf(secret),
    digits: TOTP_DIGITS,
    period: PERIOD_S,
    timestamp,
    window: WINDOW_STEPS,
  });
  return delta === null ? null : TOTP.counter({ period: PERIOD_S, timestamp }) + delta;
}
