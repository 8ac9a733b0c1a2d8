import type { ReadinessProblem } from '#contract/readiness.ts';
import { parseDuration } from '#domain/duration.ts';
import { isReady, READINESS_LASTS_MS } from '#domain/readiness.ts';
import type { WorkerLink } from '#app/offline/worker-link.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { Storage } from '#app/storage/storage.ts';
import { arePagesCached } from './cached-pages.ts';
import { readOfferState, type OfferState } from './offer-state.ts';

/** Whether this device is ready for a test that begins without a network. */

export type CheckName =
  | 'browser'
  | 'storage'
  | 'space'
  | 'persistence'
  | 'worker'
  | 'offer'
  | 'fresh'
  | 'clock'
  | 'unsent'
  | 'version'
  | 'signIn';

export interface DeviceCheck {
  readonly name: CheckName;
  /** Null: it is all right. */
  readonly problem: ReadinessProblem | null;
}

/** What the checks are made of. */
export interface DeviceFacts {
  readonly offer: OfferState;
  /** The worker answers the requests of this page, and has the app and the pages that lead to the test. */
  readonly opensOffline: boolean;
  /** Null: unknown to the browser. */
  readonly freeBytes: number | null;
  readonly isPersisted: boolean | null;
  /** Milliseconds; null: no reply has ever been received. */
  readonly serverNow: number | null;
  /** Answers of any attempt; null: they cannot be read. */
  readonly unsent: number | null;
  readonly isUpdateWaiting: boolean;
  /** Milliseconds. */
  readonly sessionEnd: number;
}

/** For the answers of one test with some photos. */
export const MIN_FREE_BYTES = 50 * 1024 * 1024;
/** Without an opening the lesson may be tomorrow. */
const DAY_MS = 24 * 60 * 60_000;

/** A sign-in has to last until an attempt that begins at the opening is over. */
function lastsLongEnough(
  { opensAt, duration }: Extract<OfferState, { kind: 'ready' }>['offer'],
  sessionEnd: number,
  now: number,
): boolean {
  const begin = opensAt === null ? now + DAY_MS : Math.max(now, Date.parse(opensAt));
  return begin + parseDuration(duration) <= sessionEnd;
}

/** The checks in the order in which they are shown; one that depends on a failed one is left out. */
export function checkDevice(facts: DeviceFacts): DeviceCheck[] {
  const { offer, serverNow } = facts;
  const checks: DeviceCheck[] = [];
  const check = (name: CheckName, problem: ReadinessProblem, isRight: boolean) => {
    checks.push({ name, problem: isRight ? null : problem });
    return isRight;
  };
  const { kind } = offer;
  const isAble =
    check(
      'browser',
      kind === 'noWasm' ? kind : 'insecure',
      kind !== 'insecure' && kind !== 'noWasm',
    ) && check('storage', 'noStorage', kind !== 'noStorage' && facts.unsent !== null);
  if (isAble) {
    if (facts.freeBytes !== null) check('space', 'lowSpace', facts.freeBytes >= MIN_FREE_BYTES);
    if (facts.isPersisted !== null) check('persistence', 'notPersisted', facts.isPersisted);
    check('worker', 'noWorker', facts.opensOffline);
    check('offer', kind === 'noKey' || kind === 'damaged' ? kind : 'notFetched', kind === 'ready');
  }
  const isClockKnown = check('clock', 'noClock', serverNow !== null);
  if (isClockKnown && serverNow !== null && kind === 'ready') {
    const age = serverNow - offer.checkedAt;
    check('fresh', 'offerUnchecked', age <= READINESS_LASTS_MS);
    check('signIn', 'signInEnds', lastsLongEnough(offer.offer, facts.sessionEnd, serverNow));
  }
  if (facts.unsent !== null) check('unsent', 'unsentAnswers', facts.unsent === 0);
  check('version', 'updateWaiting', !facts.isUpdateWaiting);
  return checks;
}

export const problemsOf = (checks: readonly DeviceCheck[]): ReadinessProblem[] =>
  checks.flatMap(({ problem }) => problem ?? []);

export const isDeviceReady = (checks: readonly DeviceCheck[]): boolean =>
  isReady(problemsOf(checks));

/** Parts of the page and the browser. */
export interface ReadinessServices {
  readonly storage: Storage;
  readonly outbox: Pick<Outbox, 'unsentCount' | 'serverNow'>;
  readonly worker: Pick<WorkerLink, 'isUpdateWaiting'>;
  /** Of the sign-in, ISO; null: nobody is signed in. */
  readonly sessionExpiresAt: () => string | null;
}

/** What the browser says of its storage; null: it does not say it. */
async function readStorageFacts(): Promise<Pick<DeviceFacts, 'freeBytes' | 'isPersisted'>> {
  // Missing in insecure contexts and in older browsers.
  const manager = navigator.storage as Partial<StorageManager> | undefined;
  const estimate = await manager?.estimate?.().catch(() => undefined);
  const isPersisted = (await manager?.persisted?.().catch(() => null)) ?? null;
  const { quota, usage } = estimate ?? {};
  return {
    freeBytes: quota === undefined || usage === undefined ? null : quota - usage,
    isPersisted,
  };
}

export interface DeviceState {
  readonly offer: OfferState;
  readonly checks: readonly DeviceCheck[];
}

/** Checks this device for a person and a test. */
export async function readReadiness(
  { storage, outbox, worker, sessionExpiresAt }: ReadinessServices,
  owner: string,
  testId: string,
): Promise<DeviceState> {
  const [offer, unsent, browser, hasPages] = await Promise.all([
    readOfferState(owner, testId, storage),
    outbox.unsentCount(owner).catch(() => null),
    readStorageFacts(),
    arePagesCached(owner, testId),
  ]);
  const isWorkerActive =
    'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
  const checks = checkDevice({
    offer,
    unsent,
    ...browser,
    opensOffline: isWorkerActive && hasPages,
    serverNow: outbox.serverNow(),
    isUpdateWaiting: worker.isUpdateWaiting(),
    sessionEnd: Date.parse(sessionExpiresAt() ?? '') || 0,
  });
  return { offer, checks };
}
