import type { QueryClient } from '@tanstack/react-query';
import { currentUser } from '#contract/auth.ts';
import { call, callWithFacts, onReply, setTokenSource } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { registerBackgroundSync } from '#app/offline/background-sync.ts';
import { createPageClock } from '#app/offline/page-clock.ts';
import type { DeviceServices } from '#app/lib/device-services.ts';
import { freeSpace } from '#app/offline/free-space.ts';
import { createInstallOffer } from '#app/offline/install.ts';
import { logProblem } from '#app/lib/log.ts';
import { newId } from '#app/lib/new-id.ts';
import { createModuleLoader } from '#app/lazy/module-loader.ts';
import { learnTimeZone, readTimeZone } from './school-time-zone.ts';
import { pageSignals, pageVisits } from '#app/offline/signals.ts';
import { linkWorker } from '#app/offline/worker-link.ts';
import { browserClock, browserTimers } from '#app/api/timers.ts';
import { CHANNEL, broadcastChannel, leaseLocks, webLocks } from '#app/outbox/environment.ts';
import { createOutbox, type Outbox } from '#app/outbox/outbox.ts';
import { createScheduler, startReporting, type Scheduler } from '#app/outbox/scheduler.ts';
import { createTransport, type Transport } from '#app/outbox/transport.ts';
import { createAttemptHolder, type AttemptHolder } from './attempt-holder.ts';
import { openLocalStorage } from '#app/lib/local-storage.ts';
import { signIn } from '#app/features/session/sign-in.ts';
import { createSessionStore, type SessionStore } from '#app/lib/session/session-store.ts';
import { readToken } from '#app/lib/session/stored-session.ts';
import { encryptDrafts } from '#app/storage/encrypt-drafts.ts';
import { openAnyStorage } from '#app/storage/open.ts';
import type { Storage } from '#app/storage/storage.ts';

/** The device's storage, session and outbox: what an answer needs to be stored and sent. */
export interface OpenedDevice {
  device: DeviceServices;
  session: SessionStore;
  holder: AttemptHolder;
  /** Local storage or its in-memory fallback. */
  local: globalThis.Storage;
}

/** All services of the app; created once, before the first render. */
export interface AppServices extends OpenedDevice {
  queryClient: QueryClient;
}

/** The tab's id across reloads, so that it does not wait for its own lease. */
function tabId(): string {
  try {
    const id = sessionStorage.getItem('tab') ?? newId();
    sessionStorage.setItem('tab', id);
    return id;
  } catch {
    return newId();
  }
}

function createPageOutbox(
  storage: Storage,
  transport: Transport,
  texts: globalThis.Storage,
  isOwner: (owner: string) => boolean,
): Outbox {
  const parts = { storage, timers: browserTimers, newId };
  return createOutbox({
    ...parts,
    clock: createPageClock(document),
    transport,
    locks:
      'locks' in navigator
        ? webLocks(navigator.locks, browserTimers)
        : leaseLocks({ ...parts, wall: browserClock.wall, tabId: tabId() }),
    random: Math.random,
    online: () => navigator.onLine,
    channel: broadcastChannel(new BroadcastChannel(CHANNEL)),
    freeSpace,
    texts,
    isOwner,
    encryptElse: encryptDrafts,
    log: (event) => logProblem('Отправка ответов', { ...event }),
  });
}

/** Restores a session from a token without a valid record by asking the server, if reachable. */
async function restoreSession(
  session: SessionStore,
  outbox: Outbox,
  local: globalThis.Storage,
): Promise<void> {
  const token = readToken(local);
  if (session.current() || token === null) return;
  try {
    await signIn({ session, outbox }, { token, ...(await call(currentUser, {}, { token })) });
  } catch (cause) {
    logProblem('Вход по сохранённому ключу не вышел', { cause });
    if (cause instanceof ApiFailure && cause.status === 401) session.end('unauthorized');
  }
}

/** Sends what waits, and reports to the server that this device is online. */
function createSender(outbox: Outbox, transport: Transport): Scheduler {
  const parts = { outbox, timers: browserTimers, random: Math.random, signals: pageSignals };
  startReporting({
    ...parts,
    present: () => navigator.onLine && document.visibilityState === 'visible',
    log: (event) => logProblem('Связь с сервером', { ...event }),
  });
  return createScheduler({
    ...parts,
    transport,
    clock: browserClock,
    online: () => navigator.onLine,
    log: (event) => logProblem('Отправка ответов', { ...event }),
  });
}

const loadBadge = createModuleLoader(() => import('#app/offline/badge.ts'));

/** The number of waiting answers on the app's icon. */
function showBadge(outbox: Outbox, session: SessionStore): void {
  if (!('setAppBadge' in navigator)) return;
  loadBadge().then(
    ({ startBadge }) =>
      session.subscribe(
        startBadge(outbox, () => session.current()?.user.userId ?? null, navigator),
      ),
    // The icon stays without a number.
    () => undefined,
  );
}

/**
 * Opens the device's storage and creates the services that need no screen. Nothing is sent before `wireSession`. React
 * and the screens must not be imported from here: this is loaded before them.
 */
export async function openDevice(): Promise<OpenedDevice> {
  const install = createInstallOffer(window, {
    userAgent: navigator.userAgent,
    maxTouchPoints: navigator.maxTouchPoints,
    isStandalone: matchMedia('(display-mode: standalone)').matches,
  });
  const storage = await openAnyStorage(globalThis.indexedDB, {
    page: pageVisits,
    log: (event) => logProblem('Память устройства', { ...event }),
  });
  const local = openLocalStorage();
  const session = createSessionStore(local);
  const holder = createAttemptHolder(local);
  setTokenSource(session.token);
  const transport = createTransport(callWithFacts);
  const outbox = createPageOutbox(
    storage,
    transport,
    local,
    (owner) => !holder.isClosed() && (session.current()?.user.userId ?? holder.current()) === owner,
  );
  onReply((facts) => void outbox.observe(facts));
  await restoreSession(session, outbox, local);
  const scheduler = createSender(outbox, transport);
  showBadge(outbox, session);
  registerBackgroundSync(outbox, () => session.current()?.user.userId ?? null);
  const worker = linkWorker({
    ...(import.meta.env.PROD
      ? { script: '/sw.js', type: 'classic' as const }
      : { script: '/dev-sw.js?dev-sw', type: 'module' as const }),
    reload: () => window.location.reload(),
  });
  const device: DeviceServices = {
    outbox,
    scheduler,
    storage,
    worker,
    install,
    serverNow: () => outbox.serverNow() ?? Date.now(),
    timeZone: readTimeZone(local),
  };
  learnTimeZone(local).then(
    (timeZone) => {
      device.timeZone = timeZone;
    },
    // Offline the last known value is used.
    () => undefined,
  );
  return {
    session,
    local,
    holder,
    device,
  };
}
