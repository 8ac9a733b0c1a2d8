import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';

/** A browser that somebody has used for a sign-in. */
export interface KnownDevice {
  readonly id: Buffer;
  /** Keyed hashes of the accounts that signed in on it, the last one first, so that the cookie reveals nobody. */
  readonly accounts: readonly Buffer[];
}

export interface Devices {
  /** The device of a `Cookie` header; null: no valid device cookie. */
  read(cookies: string | undefined, now: Date): KnownDevice | null;
  /** Whether the account has signed in on it. */
  knows(device: KnownDevice, userId: string): boolean;
  /** The `Set-Cookie` after a sign-in of the account; null becomes a new device. */
  remember(device: KnownDevice | null, userId: string, now: Date): string;
}

/** The longest lifetime that browsers accept for a cookie. */
const LIFETIME_S = 400 * 24 * 60 * 60;
/** A tablet is shared by a class. */
const MAX_ACCOUNTS = 40;

const ID_BYTES = 16;
const HEAD_BYTES = ID_BYTES + 4;
const ACCOUNT_BYTES = 8;
const MAX_PAYLOAD_CHARACTERS = Math.ceil((HEAD_BYTES + MAX_ACCOUNTS * ACCOUNT_BYTES) * (4 / 3));
const VALUE = new RegExp(String.raw`^v1\.([\w-]{1,${MAX_PAYLOAD_CHARACTERS}})\.([\w-]{43})$`);

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1000);

/** The first cookie of the name. */
function valueOf(cookies: string, name: string): string {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/**
 * Recognizes devices by a signed cookie, like OWASP's «device cookies»: `v1.<id, time, accounts>.<HMAC>`. The cookie
 * grants no access: its holder may try passwords of the accounts in it under a separate limit. So it stays valid after
 * a new password and a sign-out.
 */
export function createDevices({ state, settings }: Pick<Deps, 'state' | 'settings'>): Devices {
  // A browser accepts a cookie with this prefix only over TLS.
  const name = settings.secure ? '__Secure-device' : 'device';
  const key = Buffer.from(hkdfSync('sha256', state.sealKey, '', 'device cookie', 32));
  const mac = (text: string) => createHmac('sha256', key).update(text).digest();
  const sign = (payload: string) => mac(`cookie:${payload}`);
  const hashOf = (id: Buffer, userId: string) =>
    mac(`account:${id.toString('hex')}:${userId}`).subarray(0, ACCOUNT_BYTES);

  return {
    read(cookies, now) {
      const [, payload = '', signature = ''] = VALUE.exec(valueOf(cookies ?? '', name)) ?? [];
      const signatureBytes = Buffer.from(signature, 'base64url');
      const expected = sign(payload);
      if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected))
        return null;
      const bytes = Buffer.from(payload, 'base64url');
      if (secondsOf(now) - bytes.readUInt32BE(ID_BYTES) > LIFETIME_S) return null;
      const accounts: Buffer[] = [];
      for (let at = HEAD_BYTES; at < bytes.length; at += ACCOUNT_BYTES)
        accounts.push(bytes.subarray(at, at + ACCOUNT_BYTES));
      return { id: bytes.subarray(0, ID_BYTES), accounts };
    },

    knows({ id, accounts }, userId) {
      const own = hashOf(id, userId);
      return accounts.some((account) => account.equals(own));
    },

    remember(device, userId, now) {
      const { id, accounts } = device ?? { id: randomBytes(ID_BYTES), accounts: [] };
      const own = hashOf(id, userId);
      const others = accounts.filter((account) => !account.equals(own));
      const time = Buffer.alloc(HEAD_BYTES - ID_BYTES);
      time.writeUInt32BE(secondsOf(now));
      const payload = Buffer.concat([
        id,
        time,
        ...[own, ...others].slice(0, MAX_ACCOUNTS),
      ]).toString('base64url');
      const value = `v1.${payload}.${sign(payload).toString('base64url')}`;
      // Only sent to calls that try passwords without a sign-in, not with saves of answers.
      const cookie = `${name}=${value}; Path=/api/auth; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Strict`;
      return settings.secure ? `${cookie}; Secure` : cookie;
    },
  };
}
