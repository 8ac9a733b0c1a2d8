import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { TOTP_DIGITS } from '#contract/second-factor.ts';

/** Supported by every authenticator app: RFC 6238 with SHA-1, six digits, 30 seconds. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Steps before and after the present one: clocks of phones differ. */
const WINDOW_STEPS = 1;

export const createTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });

/**
 * The secret to type, and as a QR code. The site is named by its host: in Cyrillic the QR code would be twice
 * as dense.
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

/** The step of the code, near `now`; null: none matches. */
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
