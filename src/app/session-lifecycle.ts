import { onFailure, onReply } from '#app/api/call.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import {
  CURRENT_ATTEMPT_KEY,
  forgetAttempt,
  forgetDeletedAttempt,
  forgetEndedAttempts,
} from './finished-attempts.ts';
import {
  clearQueries,
  forgetOtherQueries,
  persistQueries,
  type Persistence,
} from './persisted-queries.ts';
import { eraseFormDrafts, showFormDrafts } from '#app/lib/form-draft-storage.ts';
import type { DeviceServices } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { closeOpenDrafts } from '#app/lib/open-drafts.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import type { AppServices } from './services.ts';
import { watchExpiry, type ExpiryWatch } from './session-expiry.ts';
import { createMirror, decryptForms, encryptForms, openOwnRows } from './session-records.ts';
import type { EndReason, SessionChange } from '#app/lib/session/session-store.ts';
import {
  SESSION_KEY,
  TOKEN_KEY,
  writeSession,
  type Session,
} from '#app/lib/session/stored-session.ts';
import { readMirror } from '#app/storage/session-mirror.ts';

/** Calls that may get 401 without an end of the session: sign-in and sign-out. */
const OUTSIDE = ['login', 'loginSecondFactor', 'register', 'logout'];

export interface Lifecycle {
  /** Resolves when stored data is restored: the first render shows it. */
  ready: Promise<void>;
}

/** Navigation at session changes; `continuesTest`: whether an attempt on the test continues here. */
export interface SessionNavigation {
  leave: (reason: EndReason, continuesTest: (testId: string) => boolean) => Promise<void>;
  /** A second factor must be set up before anything else. */
  setUpFactor: () => void;
  /** Another tab signed in: route guards run again. */
  othersSignedIn: () => void;
}

/** The services of the page, and what is open for the session. */
interface Wiring extends AppServices {
  readonly outbox: DeviceServices['outbox'];
  readonly navigation: SessionNavigation;
  readonly mirror: () => Promise<void>;
  /** Owner of the cached queries. */
  cachedOwner: string | null;
  persistence: Persistence | null;
  expiry: ExpiryWatch | null;
  /** Wall clock of the page at the last sign-in. */
  signedInWall: number;
}

function watchSession(wiring: Wiring, { expiresAt }: Session): void {
  const clock = {
    now: wiring.device.serverNow,
    setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms),
    clearTimeout: (timer: number) => window.clearTimeout(timer),
  };
  wiring.expiry?.stop();
  wiring.expiry = watchExpiry(Date.parse(expiresAt), clock, () => {
    console.warn('Сессия окончена!');
    wiring.session.end('expired');
  });
}

const onForgetFailure = (cause: unknown) => logProblem('Записи не стереть', { cause });

const forgetEnded = (wiring: Wiring) =>
  forgetEndedAttempts(wiring, wiring.device.serverNow()).catch(onForgetFailure);

/** At a sign-in, here or in another tab, and at the start of a page with a session. */
async function startSession(wiring: Wiring, current: Session): Promise<void> {
  const { session, queryClient, local } = wiring;
  const owner = current.user.userId;
  showFormDrafts(owner);
  wiring.signedInWall = Date.now();
  // Must precede any new query; after an expired session the attempt's queries stay.
  if (wiring.cachedOwner !== owner) {
    clearQueries(queryClient, { keepAttempt: false });
    closeOpenDrafts().catch((cause: unknown) => logProblem('Правки не закрыть', { cause }));
  }
  wiring.cachedOwner = owner;
  wiring.holder.set(null);
  wiring.persistence?.stop();
  forgetOtherQueries(owner, local);
  wiring.persistence = persistQueries(queryClient, owner, local);
  wiring.device.worker.post({ type: 'keepOnly', owner });
  const opened = wiring
    .mirror()
    .then(() => openOwnRows(wiring, current))
    .then(() => decryptForms(wiring, owner));
  await Promise.all([opened, wiring.persistence.restored]);
  if (session.current()?.token === current.token) watchSession(wiring, current);
}

/** An attempt that runs goes on without a session, unless its owner signed out. */
async function endSession(wiring: Wiring, { user }: Session, reason: EndReason): Promise<void> {
  const { session, holder, outbox } = wiring;
  wiring.expiry?.stop();
  const owner = user.userId;
  showFormDrafts(null);
  if (reason === 'logout') holder.close();
  // In another tab too.
  if (holder.isClosed()) eraseFormDrafts(owner);
  const running = await outbox.runningAttempts(owner);
  if (session.current()) return;
  const continuing = holder.isClosed() ? [] : running;
  const isHolder = continuing.length > 0;
  if (isHolder) holder.set(owner);
  if (isHolder) wiring.persistence?.stop();
  else wiring.persistence?.erase();
  wiring.persistence = null;
  clearQueries(wiring.queryClient, { keepAttempt: isHolder });
  if (!isHolder) wiring.local.removeItem(CURRENT_ATTEMPT_KEY);
  await wiring.mirror();
  // After the mirror, so that pending replies are no longer cached.
  wiring.device.worker.post({ type: 'forgetOwner', owner, keepPictures: isHolder });
  // Unmounting the page stores its last input.
  await wiring.navigation.leave(
    reason,
    (testId) => isHolder && continuing.some((attempt) => attempt.testId === testId),
  );
  await closeOpenDrafts();
  if (!holder.isClosed()) await encryptForms(wiring);
  else if (!session.current()) await outbox.encryptRows();
}

async function applyChange(wiring: Wiring, change: SessionChange): Promise<void> {
  const { session } = change;
  if (change.kind === 'ended') return endSession(wiring, session, change.reason);
  if (change.kind === 'extended') {
    await wiring.mirror();
    watchSession(wiring, session);
    return;
  }
  await startSession(wiring, session);
  await forgetEnded(wiring);
  if (change.elsewhere) wiring.navigation.othersSignedIn();
  await wiring.device.scheduler.wake();
}

/** Replies extend and end the session, but not those to calls that began before this sign-in. */
function followReplies(wiring: Wiring): void {
  const { session } = wiring;
  const isFromEarlierSession = ({ receivedWall, rttMs }: ReplyFacts) =>
    receivedWall - rttMs < wiring.signedInWall;
  onReply((facts) => {
    if (facts.sessionExpiresAt === null || isFromEarlierSession(facts)) return;
    session.extend(new Date(facts.sessionExpiresAt).toISOString());
  });
  onFailure(({ status, code, facts }, route) => {
    if (code === 'SECOND_FACTOR_SETUP_REQUIRED') wiring.navigation.setUpFactor();
    if (status !== 401 || OUTSIDE.includes(route.name)) return;
    if (facts && isFromEarlierSession(facts)) return;
    session.end(code === 'ACCOUNT_BLOCKED' ? 'blocked' : 'unauthorized');
  });
}

/** Other tabs change the stored session; a page that slept or was frozen checks it again. */
function followPage(wiring: Wiring): void {
  const { session } = wiring;
  /** Somebody cleared the storage of the site: no sign-out, and an attempt goes on. */
  const rereadCleared = async () => {
    const current = session.current();
    const running = current ? await wiring.outbox.runningAttempts(current.user.userId) : [];
    if (current && running.length > 0) writeSession(wiring.local, current);
    session.reread();
  };
  window.addEventListener('storage', ({ key }) => {
    if (key === null) void rereadCleared();
    else if (key === TOKEN_KEY || key === SESSION_KEY) session.reread();
  });
  // A page frozen in the back/forward cache received no storage events.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.reread();
  });
  const checkExpiry = () => wiring.expiry?.check();
  document.addEventListener('visibilitychange', checkExpiry);
  window.addEventListener('focus', checkExpiry);
}

function followOutbox(wiring: Wiring): void {
  /** The browser cleared the database under the page: the sign-in and the key are written again. */
  const writeAgain = async () => {
    const current = wiring.session.current();
    if (!current) return;
    await wiring.mirror();
    await openOwnRows(wiring, current);
    await wiring.device.scheduler.wake();
  };
  wiring.outbox.subscribe((event) => {
    if (event.kind === 'cleared')
      writeAgain().catch((cause: unknown) => logProblem('Вход не записать заново', { cause }));
    if (event.kind === 'setAside')
      forgetDeletedAttempt(wiring, event.attemptId).catch(onForgetFailure);
    if (event.kind !== 'finished') return;
    // If IndexedDB is lost, the persisted query would show the attempt as running.
    forgetAttempt(wiring, event.attemptId);
    void wiring.queryClient.invalidateQueries({ queryKey: queryKeys.tests });
  });
}

/** A session lost before localStorage was flushed counts as expired: only the mirror has its owner. */
async function restoreHolder({ holder, outbox, device }: Wiring): Promise<void> {
  if (holder.isClosed()) return;
  // A session that ended by itself reads no rows at the start.
  await outbox.storeTyped();
  const mirrored = await readMirror(device.storage).catch(() => null);
  if (mirrored === null) return;
  const running = await outbox.runningAttempts(mirrored.owner);
  if (running.length > 0) holder.set(mirrored.owner);
}

async function startPage(wiring: Wiring): Promise<void> {
  const current = wiring.session.current();
  if (!current) {
    showFormDrafts(null);
    void encryptForms(wiring);
    await restoreHolder(wiring);
  }
  await (current ? startSession(wiring, current) : wiring.mirror());
  await forgetEnded(wiring);
  // Completes an interrupted sign-out.
  if (!current && wiring.holder.isClosed()) {
    wiring.outbox
      .encryptRows()
      .catch((cause: unknown) => logProblem('Записи не зашифровать', { cause }));
  }
  // The first screen does not wait for the network.
  wiring.device.scheduler
    .start()
    .catch((cause: unknown) => logProblem('Отправка не началась', { cause }));
}

/**
 * Synchronises everything that depends on the session: the mirror for the worker, expiry, caches, other tabs,
 * and the redirect to the sign-in screen.
 */
export function wireSession(services: AppServices, navigation: SessionNavigation): Lifecycle {
  const wiring: Wiring = {
    ...services,
    outbox: services.device.outbox,
    navigation,
    mirror: createMirror(services),
    cachedOwner: null,
    persistence: null,
    expiry: null,
    signedInWall: 0,
  };
  services.session.subscribe((change) => {
    applyChange(wiring, change).catch((cause: unknown) =>
      logProblem('Смена входа прошла не целиком', { cause }),
    );
  });
  followReplies(wiring);
  followPage(wiring);
  followOutbox(wiring);
  return { ready: startPage(wiring) };
}
