import type { QueryClient } from '@tanstack/react-query';
import { currentUser } from '#contract/auth.ts';
import { call, callWithFacts, onReply, setTokenSource } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { askForSync } from '#app/offline/background-sync.ts';
import type { Device } from '#app/offline/device-context.ts';
import { freeSpace } from '#app/offline/free-space.ts';
import { createInstallOffer } from '#app/offline/install.ts';
import { logProblem } from '#app/offline/log.ts';
import { newId } from '#app/offline/new-id.ts';
import { learnTimeZone, readTimeZone } from '#app/offline/school-time-zone.ts';
import { pageSignals, pageVisits } from '#app/offline/signals.ts';
import { linkWorker } from '#app/offline/worker-link.ts';
import { broadcastChannel, CHANNEL } from '#app/outbox/channel.ts';
import { leaseLocks, webLocks } from '#app/outbox/locks.ts';
import { createOutbox, type Outbox } from '#app/outbox/outbox.ts';
import { startReporting } from '#app/outbox/reporter.ts';
import { createScheduler } from '#app/outbox/scheduler.ts';
import { browserClock, browserTimers } from '#app/outbox/surroundings.ts';
import { createTransport, type Transport } from '#app/outbox/transport.ts';
import { createQueryClient, tellOnline } from '#app/query.ts';
import { createAttemptHolder, type AttemptHolder } from '#app/session/attempt-holder.ts';
import { openLocalStorage } from '#app/session/local-storage.ts';
import { signIn } from '#app/session/sign-in.ts';
import { createSessionStore, type SessionStore } from '#app/session/session-store.ts';
import { readToken } from '#app/session/stored-session.ts';
import { openAnyStorage } from '#app/storage/open.ts';
import type { Storage } from '#app/storage/storage.ts';

/** Everything the screens stand on; made once, before the first render. */
export interface AppServices {
  device: Device;
  session: SessionStore;
  holder: AttemptHolder;
  queryClient: QueryClient;
  /** Local storage, or what stands in for it. */
  local: globalThis.Storage;
}

/** One tab's name over its reloads, so that it does not wait for its own lease. */
function tabId(): string {
  try {
    const id = sessionStorage.getItem('tab') ?? newId();
    sessionStorage.setItem('tab', id);
    return id;
  } catch {
    return newId();
  }
}

function createPageOutbox(storage: Storage, transport: Transport): Outbox {
  const parts = { storage, timers: browserTimers, newId };
  return createOutbox({
    ...parts,
    clock: browserClock,
    transport,
    locks:
      'locks' in navigator
        ? webLocks(navigator.locks, browserTimers)
        : leaseLocks({ ...parts, wall: browserClock.wall, tabId: tabId() }),
    random: Math.random,
    online: () => navigator.onLine,
    channel: broadcastChannel(new BroadcastChannel(CHANNEL)),
    freeSpace,
    log: (event) => logProblem('Отправка ответов', { ...event }),
  });
}

/** A token whose record is missing or broken: the server tells whose it is, if it can be reached. */
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

/** Opens the device's memory and puts the parts together. Nothing is sent before `wireSession`. */
export async function createAppServices(): Promise<AppServices> {
  tellOnline(navigator.onLine);
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
  setTokenSource(session.token);
  const transport = createTransport(callWithFacts);
  const outbox = createPageOutbox(storage, transport);
  onReply((facts) => void outbox.observe(facts));
  await restoreSession(session, outbox, local);
  const scheduler = createScheduler({
    outbox,
    transport,
    timers: browserTimers,
    clock: browserClock,
    random: Math.random,
    signals: pageSignals,
    online: () => navigator.onLine,
    log: (event) => logProblem('Отправка ответов', { ...event }),
  });
  startReporting({
    outbox,
    timers: browserTimers,
    random: Math.random,
    signals: pageSignals,
    present: () => navigator.onLine && document.visibilityState === 'visible',
    log: (event) => logProblem('Связь с сервером', { ...event }),
  });
  askForSync(outbox, () => session.current()?.user.userId ?? null);
  const worker = linkWorker({
    ...(import.meta.env.PROD
      ? { script: '/sw.js', type: 'classic' as const }
      : { script: '/dev-sw.js?dev-sw', type: 'module' as const }),
    reload: () => window.location.reload(),
  });
  const device: Device = {
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
    // Without a network the one known last holds.
    () => undefined,
  );
  return {
    session,
    local,
    holder: createAttemptHolder(local),
    queryClient: createQueryClient(),
    device,
  };
}
