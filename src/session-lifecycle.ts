import { currentUser } from '#contract/auth.ts';
import { call, onFailure, onReply } from '#app/api/call.ts';
import type { ReplyFacts } from '#app/api/facts.ts';
import {
  clearQueries,
  forgetOtherQueries,
  persistQueries,
  type Persistence,
} from '#app/persisted-queries.ts';
import { logProblem } from '#app/offline/log.ts';
import type { AppServices } from '#app/services.ts';
import { watchExpiry, type ExpiryWatch } from '#app/session/expiry.ts';
import type { EndReason, SessionChange } from '#app/session/session-store.ts';
import { SESSION_KEY, TOKEN_KEY, type Session } from '#app/session/stored-session.ts';
import { clearMirror, mirrorSession, readMirror } from '#app/storage/session-mirror.ts';

/** Calls whose 401 says nothing of the session: signing in, and signing out of it. */
const OUTSIDE = ['login', 'loginSecondFactor', 'register', 'logout'];
/** What a person typed in this tab and never saved goes with a sign-out by wish. */
function forgetDrafts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (/^(ai|bank|grading|settings|template):/.test(key)) window.sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is forbidden: then nothing was kept.
  }
}

const CURRENT_ATTEMPT_KEY = 'currentAttemptId';

/** Lists and overviews, which an attempt's end changes. */
const isOfTests = (key: unknown) => typeof key === 'string' && key.startsWith('tests/');

export interface Lifecycle {
  /** Waits for what was remembered: the first render shows it. */
  ready: Promise<void>;
}

/** What the router does when the sign-in ends; `holdsTest` tells whether an attempt goes on here. */
export interface Navigation {
  leave: (reason: EndReason, holdsTest: (testId: string) => boolean) => Promise<void>;
  /** A second factor must be set up before anything else. */
  setUpFactor: () => void;
  /** Another tab signed in: guards look again. */
  othersSignedIn: () => void;
}

/**
 * Keeps everything that hangs on the sign-in in step with it: the mirror for the worker, expiry,
 * the caches of the person, other tabs, and the redirect to the sign-in screen.
 */
export function wireSession(services: AppServices, navigation: Navigation): Lifecycle {
  const { session, holder, queryClient, device, local } = services;
  const { outbox, storage, scheduler, worker } = device;
  let persistence: Persistence | null = null;
  let expiry: ExpiryWatch | null = null;
  let signedInWall = 0;
  /** Whose queries the cache holds. */
  let cachedOwner: string | null = null;
  let mirroring: Promise<void> = Promise.resolve();

  const clock = {
    now: device.serverNow,
    setTimeout: (run: () => void, ms: number) => window.setTimeout(run, ms),
    clearTimeout: (timer: number) => window.clearTimeout(timer),
  };

  /** One after another, each with who is signed in then: a late erasure never hits a new sign-in. */
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

  /** After a kill, in another tab, or by an app that knew no keys: then the server gives it once more. */
  const askForKey = async ({ token, user }: Session) => {
    const { deviceKey } = await call(currentUser, {}, { token });
    if (deviceKey === undefined || session.current()?.token !== token) return;
    await outbox.openRows(user.userId, deviceKey);
    await scheduler.wake();
  };

  /** What lies here of others is encrypted, and what lay encrypted of this person is in plain. */
  const openRows = async (current: Session) => {
    const isOpen = await outbox.openRows(current.user.userId, null).catch((cause: unknown) => {
      logProblem('Записи на устройстве не открыть', { cause });
      return false;
    });
    if (isOpen || !globalThis.isSecureContext) return;
    // The first screen does not wait for the network.
    askForKey(current).catch((cause: unknown) => logProblem('Ключ записей не пришёл', { cause }));
  };

  const begin = async (current: Session) => {
    const owner = current.user.userId;
    signedInWall = Date.now();
    // Before anything of this person comes in: of an ended sign-in the attempt's queries stay.
    if (cachedOwner !== owner) clearQueries(queryClient, { keepAttempt: false });
    cachedOwner = owner;
    holder.set(null);
    persistence?.stop();
    forgetOtherQueries(owner, local);
    persistence = persistQueries(queryClient, owner, local);
    worker.tell({ type: 'keepOnly', owner });
    await Promise.all([mirror().then(() => openRows(current)), persistence.restored]);
    if (session.current()?.token === current.token) watch(current);
  };

  const takeUp = async (change: Extract<SessionChange, { kind: 'signedIn' }>) => {
    if (change.elsewhere) navigation.othersSignedIn();
    await scheduler.wake();
  };

  const cease = async ({ user }: Session, reason: EndReason) => {
    expiry?.stop();
    const owner = user.userId;
    if (reason === 'logout') {
      holder.close();
      forgetDrafts();
    }
    const running = await outbox.runningAttempts(owner);
    if (session.current()) return;
    const held = holder.isClosed() ? [] : running;
    const isHolder = held.length > 0;
    if (isHolder) holder.set(owner);
    if (isHolder) persistence?.stop();
    else persistence?.erase();
    persistence = null;
    clearQueries(queryClient, { keepAttempt: isHolder });
    if (!isHolder) local.removeItem(CURRENT_ATTEMPT_KEY);
    await mirror();
    // After the mirror: no reply that is on its way is kept any more.
    worker.tell({ type: 'forgetOwner', owner, keepPictures: isHolder });
    // A page that is left stores what was typed last.
    await navigation.leave(
      reason,
      (testId) => isHolder && held.some((attempt) => attempt.testId === testId),
    );
    if (holder.isClosed() && !session.current()) await outbox.encryptRows();
  };

  const onChange = (change: SessionChange) => {
    const done =
      change.kind === 'ended'
        ? cease(change.session, change.reason)
        : change.kind === 'extended'
          ? mirror().then(() => watch(change.session))
          : begin(change.session).then(() => takeUp(change));
    done.catch((cause: unknown) => logProblem('Смена входа прошла не целиком', { cause }));
  };

  session.subscribe(onChange);
  /** A reply to a call that began before this sign-in speaks of an older one. */
  const isOfOlder = ({ receivedWall, rttMs }: ReplyFacts) => receivedWall - rttMs < signedInWall;
  onReply((facts) => {
    if (facts.sessionExpiresAt === null || isOfOlder(facts)) return;
    session.extend(new Date(facts.sessionExpiresAt).toISOString());
  });
  onFailure(({ status, code, facts }, route) => {
    if (code === 'SECOND_FACTOR_SETUP_REQUIRED') navigation.setUpFactor();
    if (status !== 401 || OUTSIDE.includes(route.name)) return;
    if (facts && isOfOlder(facts)) return;
    session.end('unauthorized');
  });
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === TOKEN_KEY || key === SESSION_KEY) session.reread();
  });
  // A page that lay frozen in the back/forward cache heard nothing of what other pages did.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.reread();
  });
  const wakeUp = () => expiry?.check();
  document.addEventListener('visibilitychange', wakeUp);
  window.addEventListener('focus', wakeUp);
  outbox.subscribe((event) => {
    if (event.kind !== 'finished') return;
    // Without its rows the device would take the attempt for a running one.
    queryClient.setQueryData<{ state: number } | null>(
      ['test/passing', event.attemptId],
      (passing) => passing && { ...passing, state: 2 },
    );
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfTests(queryKey[0]) });
    if (local.getItem(CURRENT_ATTEMPT_KEY) === event.attemptId) {
      local.removeItem(CURRENT_ATTEMPT_KEY);
    }
  });

  /** A sign-in lost before localStorage reached the disk ended by itself too: only the mirror knows. */
  const holdLost = async () => {
    const mirrored = await readMirror(storage).catch(() => null);
    if (mirrored === null || holder.isClosed()) return;
    const running = await outbox.runningAttempts(mirrored.owner);
    if (running.length > 0) holder.set(mirrored.owner);
  };

  const start = async () => {
    const current = session.current();
    if (!current) await holdLost();
    await (current ? begin(current) : mirror());
    // A sign-out that was cut off goes on.
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
