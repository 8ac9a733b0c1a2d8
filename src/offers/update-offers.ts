import type { DeviceServices } from '#app/lib/device-services.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import { fetchOffers, offerCalls, type OfferedTest } from './fetch-offers.ts';
import { readReadiness, type DeviceState } from './readiness.ts';
import { reportChecks, sendReadiness } from './report-readiness.ts';

/** What the page knows of its device and its sign-in. */
export type OwnDevice = Pick<DeviceServices, 'storage' | 'outbox' | 'worker' | 'serverNow'> & {
  readonly session: Pick<SessionStore, 'current'>;
};

/** Reads whether this device is ready for a test; with `isReported` the teacher learns of it. */
export async function checkReadiness(
  { session, ...device }: OwnDevice,
  owner: string,
  testId: string,
  isReported: boolean,
): Promise<DeviceState> {
  const sessionExpiresAt = () => session.current()?.expiresAt ?? null;
  const state = await readReadiness({ ...device, sessionExpiresAt }, owner, testId);
  if (isReported) {
    const sender = { storage: device.storage, session, send: sendReadiness };
    void reportChecks(sender, { owner, testId }, state.checks);
  }
  return state;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Fetches the offers of these tests, and reports whether this device is ready for them. Rejects if it is stopped: by
 * another sign-in, or since the page does not want it any more.
 */
export async function updateOffers(
  device: OwnDevice,
  owner: string,
  tests: readonly OfferedTest[],
  isWanted: () => boolean,
): Promise<void> {
  const { session, storage, serverNow: now } = device;
  const calls = { calls: offerCalls, now, random: Math.random, pause };
  await fetchOffers({ owner, session, storage, isWanted, ...calls }, tests);
  for (const { id, offlineStart } of tests) {
    if (!offlineStart) continue;
    const isOwn = session.current()?.user.userId === owner;
    if (!isOwn || !isWanted()) throw new Error('not wanted any more');
    await checkReadiness(device, owner, id, true);
  }
}
