import { currentUser } from '#contract/auth.ts';
import { call, onFailure, onReply } from '#app/api/call.ts';
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
import { encryptFormDrafts, eraseFormDrafts, showFormDrafts } from '#app/lib/form-draft-storage.ts';
import { logProblem } from '#app/lib/log.ts';
import { closeOpenDrafts } from '#app/lib/open-drafts.ts';
import { queryKeys } from '#app/lib/query-keys.ts';
import { shouldRetry } from './query-client.ts';
import type { AppServices } from './services.ts';
import { watchExpiry, type ExpiryWatch } from './session-expiry.ts';
import { openForms } from '#app/lib/session/open-rows.ts';
import type { EndReason, SessionChange } from '#app/lib/session/session-store.ts';
import {
  SESSION_KEY,
  TOKEN_KEY,
  writeSession,
  type Session,
} from '#app/lib/session/stored-session.ts';
import { clearMirror, mirrorSession, readMirror } from '#app/storage/session-mirror.ts';

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

/**
 * Synchronises everything that depends on the session: the mirror for the worker, expiry, caches, other tabs,
 * and the redirect to the sign-in screen.
 */
export function wireSession(services: AppServices, navigation: SessionNavigation): Lifecycle {
  const { session, holder, queryClient, device, local } = services;
  const { outbox, storage, scheduler, worker } = device;
  let persistence: Persistence | null = null;
  let expiry: ExpiryWatch | null = null;
  let signedInWall = 0;
  /** Owner of the cached queries. */
  let cachedOwner: string | null = null;
  let mirroring: Promise<void> = Promise.resolve();

  const clock = {
    now: device.serverNow,
    setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms),
    clearTimeout: (timer: number) => window.clearTimeout(timer),
  };

  /** Serialized, each with the current session: a late erasure never affects a new sign-in. */
  const mirror = () => {
    mirroring = mirroring
      .then(() => {
        const current = session.current();
        return current ? mirrorSession(storage, current) : clearMirror(storage);
      })
      .catch((cause: unknown) => logProblem('Вход не записать на устройство', { cause }));
    return mirroring;
  };

  const watch = ({ expiresAt }: Session) => {
    expiry?.stop();
    expiry = watchExpiry(Date.parse(expiresAt), clock, () => {
      console.warn('Сессия окончена!');
      session.end('expired');
    });
  };

  /**
   * Fetches the device key from the server: after a kill, in another tab, or after an older app version.
   * Asks until a final reply, since without the key the owner's answers are neither shown nor sent; the end
   * of the session removes the query.
   */
  const fetchDeviceKey = ({ token, user }: Session) =>
    queryClient.fetchQuery({
      queryKey: ['session', 'deviceKey', user.userId],
      queryFn: async ({ signal }) => {
        const { deviceKey } = await call(currentUser, {}, { token, signal });
        if (deviceKey === undefined || session.current()?.token !== token) return false;
        const isOpen = await outbox.openRows(user.userId, deviceKey);
        await scheduler.wake();
        return isOpen;
      },
      retry: (_, error) => shouldRetry(0, error),
      gcTime: 0,
    });

  /** Encrypts other people's rows and decrypts this person's. */
  const openRows = async (current: Session) => {
    const isOpen = await outbox.openRows(current.user.userId, null).catch((cause: unknown) => {
      logProblem('Записи на устройстве не открыть', { cause });
      return false;
    });
    if (isOpen || !globalThis.isSecureContext) return;
    // The first screen does not wait for the network.
    fetchDeviceKey(current).catch((cause: unknown) => {
      if (session.current()?.token === current.token) {
        logProblem('Ключ записей не пришёл', { cause });
      }
    });
  };

  const readDeviceKey = async (owner: string) =>
    (await storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner)))?.key ?? null;

  const encryptForms = () =>
    encryptFormDrafts(readDeviceKey).catch((cause: unknown) =>
      logProblem('Черновики форм не зашифровать', { cause }),
    );

  /** Drafts of a tab that was reloaded without a sign-in, while its author signed in in another tab. */
  const decryptForms = async (owner: string) => {
    await openForms(owner, readDeviceKey);
    if (session.current()?.user.userId === owner) showFormDrafts(owner);
  };

  const startSession = async (current: Session) => {
    const owner = current.user.userId;
    showFormDrafts(owner);
    signedInWall = Date.now();
    // Must precede any new query; after an expired session the attempt's queries stay.
    if (cachedOwner !== owner) {
      clearQueries(queryClient, { keepAttempt: false });
      closeOpenDrafts().catch((cause: unknown) => logProblem('Правки не закрыть', { cause }));
    }
    cachedOwner = owner;
    holder.set(null);
    persistence?.stop();
    forgetOtherQueries(owner, local);
    persistence = persistQueries(queryClient, owner, local);
    worker.post({ type: 'keepOnly', owner });
    const opened = mirror()
      .then(() => openRows(current))
      .then(() => decryptForms(owner));
    await Promise.all([opened, persistence.restored]);
    if (session.current()?.token === current.token) watch(current);
  };

  const parts = { queryClient, local, outbox };
  const onForgetFailure = (cause: unknown) =>
    logProblem('Записи о завершённом тесте не стереть', { cause });
  const forgetEnded = () => forgetEndedAttempts(parts, device.serverNow()).catch(onForgetFailure);

  const onSignedIn = async (change: Extract<SessionChange, { kind: 'signedIn' }>) => {
    await forgetEnded();
    if (change.elsewhere) navigation.othersSignedIn();
    await scheduler.wake();
  };

  const onSignedOut = async ({ user }: Session, reason: EndReason) => {
    expiry?.stop();
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
    if (isHolder) persistence?.stop();
    else persistence?.erase();
    persistence = null;
    clearQueries(queryClient, { keepAttempt: isHolder });
    if (!isHolder) local.removeItem(CURRENT_ATTEMPT_KEY);
    await mirror();
    // After the mirror, so that pending replies are no longer cached.
    worker.post({ type: 'forgetOwner', owner, keepPictures: isHolder });
    // Unmounting the page stores its last input.
    await navigation.leave(
      reason,
      (testId) => isHolder && continuing.some((attempt) => attempt.testId === testId),
    );
    await closeOpenDrafts();
    if (!holder.isClosed()) await encryptForms();
    else if (!session.current()) await outbox.encryptRows();
  };

  const onChange = (change: SessionChange) => {
    const done =
      change.kind === 'ended'
        ? onSignedOut(change.session, change.reason)
        : change.kind === 'extended'
          ? mirror().then(() => watch(change.session))
          : startSession(change.session).then(() => onSignedIn(change));
    done.catch((cause: unknown) => logProblem('Смена входа прошла не целиком', { cause }));
  };

  session.subscribe(onChange);
  /** Whether a reply belongs to a call that began before this sign-in. */
  const isFromEarlierSession = ({ receivedWall, rttMs }: ReplyFacts) =>
    receivedWall - rttMs < signedInWall;
  onReply((facts) => {
    if (facts.sessionExpiresAt === null || isFromEarlierSession(facts)) return;
    session.extend(new Date(facts.sessionExpiresAt).toISOString());
  });
  onFailure(({ status, code, facts }, route) => {
    if (code === 'SECOND_FACTOR_SETUP_REQUIRED') navigation.setUpFactor();
    if (status !== 401 || OUTSIDE.includes(route.name)) return;
    if (facts && isFromEarlierSession(facts)) return;
    session.end(code === 'ACCOUNT_BLOCKED' ? 'blocked' : 'unauthorized');
  });
  /** Somebody cleared the storage of the site: no sign-out, and an attempt goes on. */
  const rereadCleared = async () => {
    const current = session.current();
    const running = current ? await outbox.runningAttempts(current.user.userId) : [];
    if (current && running.length > 0) writeSession(local, current);
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
  const wakeUp = () => expiry?.check();
  document.addEventListener('visibilitychange', wakeUp);
  window.addEventListener('focus', wakeUp);
  /** The browser cleared the database under the page: the sign-in and the key are written again. */
  const writeAgain = async () => {
    const current = session.current();
    if (!current) return;
    await mirror();
    await openRows(current);
    await scheduler.wake();
  };
  outbox.subscribe((event) => {
    if (event.kind === 'cleared')
      writeAgain().catch((cause: unknown) => logProblem('Вход не записать заново', { cause }));
    if (event.kind === 'setAside')
      forgetDeletedAttempt(parts, event.attemptId).catch(onForgetFailure);
    if (event.kind !== 'finished') return;
    // If IndexedDB is lost, the persisted query would show the attempt as running.
    forgetAttempt(parts, event.attemptId);
    void queryClient.invalidateQueries({ queryKey: queryKeys.tests });
  });

  /** A session lost before localStorage was flushed counts as expired: only the mirror has its owner. */
  const restoreHolder = async () => {
    if (holder.isClosed()) return;
    // A session that ended by itself reads no rows at the start.
    await outbox.storeTyped();
    const mirrored = await readMirror(storage).catch(() => null);
    if (mirrored === null) return;
    const running = await outbox.runningAttempts(mirrored.owner);
    if (running.length > 0) holder.set(mirrored.owner);
  };

  const start = async () => {
    const current = session.current();
    if (!current) {
      showFormDrafts(null);
      void encryptForms();
      await restoreHolder();
    }
    await (current ? startSession(current) : mirror());
    await forgetEnded();
    // Completes an interrupted sign-out.
    if (!current && holder.isClosed()) {
      outbox
        .encryptRows()
        .catch((cause: unknown) => logProblem('Записи не зашифровать', { cause }));
    }
    // The first screen does not wait for the network.
    scheduler.start().catch((cause: unknown) => logProblem('Отправка не началась', { cause }));
  };
  return { ready: start() };
}
