import { describe, expect, test } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { createDevices } from './devices.ts';

const NOW = new Date('2026-03-02T06:00:00.000Z');
const LIFETIME_MS = 400 * 24 * 60 * 60_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);

const devicesOf = (sealKey = Buffer.alloc(32, 7), secure = false) =>
  createDevices({ state: { sealKey }, settings: { secure } } as unknown as Deps);
const devices = devicesOf();

const cookieOf = (set: string) => set.split(';', 1)[0] ?? '';
/** The cookie after sign-ins of these accounts, in this order. */
function signedIn(...userIds: string[]): string {
  let cookie = '';
  for (const userId of userIds)
    cookie = cookieOf(devices.remember(devices.read(cookie, NOW), userId, NOW));
  return cookie;
}
const knows = (cookie: string, userId: string, now = NOW) => {
  const device = devices.read(cookie, now);
  return device !== null && devices.knows(device, userId);
};

test('a device recognises only users who have signed in on it', () => {
  const cookie = signedIn('anna', 'boris');
  expect(['anna', 'boris', 'vera'].map((user) => knows(cookie, user))).toEqual([true, true, false]);
});

test('a device stays the same one through sign-ins, and a new one differs from all others', () => {
  const first = signedIn('anna');
  const next = cookieOf(devices.remember(devices.read(first, NOW), 'boris', NOW));
  const idOf = (cookie: string) => devices.read(cookie, NOW)?.id.toString('hex');
  expect(idOf(first)).toMatch(/^[\da-f]{32}$/);
  expect(idOf(next)).toBe(idOf(first));
  expect(idOf(signedIn('anna'))).not.toBe(idOf(first));
});

test('an account that signs in again is stored once and becomes the last one', () => {
  const cookie = signedIn('anna', 'boris', 'anna');
  expect(devices.read(cookie, NOW)?.accounts).toHaveLength(2);
  // After 39 others it is still known, the one before it is not.
  const others = Array.from({ length: 39 }, (_, n) => `other${n}`);
  const full = signedIn('anna', 'boris', 'anna', ...others);
  expect([knows(full, 'anna'), knows(full, 'boris')]).toEqual([true, false]);
});

test('two devices store an account under different hashes', () => {
  const [first, second] = [signedIn('anna'), signedIn('anna')].map((cookie) =>
    devices.read(cookie, NOW)?.accounts[0]?.toString('hex'),
  );
  expect(first).not.toBe(second);
});

test('a device is known for four hundred days after its last sign-in', () => {
  const cookie = signedIn('anna');
  expect(knows(cookie, 'anna', later(LIFETIME_MS))).toBe(true);
  expect(knows(cookie, 'anna', later(LIFETIME_MS + 1_000))).toBe(false);
});

test('a cookie of another key is not read', () => {
  expect(devicesOf(Buffer.alloc(32, 8)).read(signedIn('anna'), NOW)).toBeNull();
});

test('no cookie and one of another name are no device', () => {
  expect(devices.read(undefined, NOW)).toBeNull();
  expect(devices.read(`my-${signedIn('anna')}`, NOW)).toBeNull();
});

test('the cookie is found among others, with and without spaces', () => {
  const cookie = signedIn('anna');
  for (const header of [`a=1; ${cookie}`, `a=1;${cookie};b=2`, `${cookie} ; b=2`])
    expect(knows(header, 'anna')).toBe(true);
});

describe('over TLS', () => {
  const secured = devicesOf(undefined, true);

  test('the cookie is secure by name and attribute', () => {
    expect(secured.remember(null, 'anna', NOW)).toMatch(
      /^__Secure-device=v1\..*; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(devices.remember(null, 'anna', NOW)).not.toMatch(/Secure/);
  });

  test('the cookie of a connection without TLS is not read', () => {
    expect(secured.read(signedIn('anna'), NOW)).toBeNull();
  });
});
