import { currentUser } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { encryptFormDrafts, showFormDrafts } from '#app/lib/form-draft-storage.ts';
import { logProblem } from '#app/lib/log.ts';
import { openForms } from '#app/lib/session/open-rows.ts';
import type { Session } from '#app/lib/session/stored-session.ts';
import { clearMirror, mirrorSession } from '#app/storage/session-mirror.ts';
import { shouldRetry } from './query-client.ts';
import type { AppServices } from './services.ts';

type Services = Pick<AppServices, 'session' | 'queryClient' | 'device'>;

/**
 * Fetches the device key from the server: after a kill, in another tab, or after an older app version.
 * Asks until a final reply, since without the key the owner's answers are neither shown nor sent; the end
 * of the session removes the query.
 */
const fetchDeviceKey = ({ session, queryClient, device }: Services, { token, user }: Session) =>
  queryClient.fetchQuery({
    queryKey: ['session', 'deviceKey', user.userId],
    queryFn: async ({ signal }) => {
      const { deviceKey } = await call(currentUser, {}, { token, signal });
      if (deviceKey === undefined || session.current()?.token !== token) return false;
      const isOpen = await device.outbox.openRows(user.userId, deviceKey);
      await device.scheduler.wake();
      return isOpen;
    },
    retry: (_, error) => shouldRetry(0, error),
    gcTime: 0,
  });

/** Encrypts other people's rows and decrypts this person's. */
export async function openOwnRows(services: Services, current: Session): Promise<void> {
  const { session, device } = services;
  const isOpen = await device.outbox.openRows(current.user.userId, null).catch((cause: unknown) => {
    logProblem('Записи на устройстве не открыть', { cause });
    return false;
  });
  if (isOpen || !globalThis.isSecureContext) return;
  // The first screen does not wait for the network.
  fetchDeviceKey(services, current).catch((cause: unknown) => {
    if (session.current()?.token === current.token) {
      logProblem('Ключ записей не пришёл', { cause });
    }
  });
}

const deviceKeyReader =
  ({ device }: Services) =>
  async (owner: string) =>
    (await device.storage.read(['deviceKeys'], (tx) => tx.get('deviceKeys', owner)))?.key ?? null;

export const encryptForms = (services: Services): Promise<void> =>
  encryptFormDrafts(deviceKeyReader(services)).catch((cause: unknown) =>
    logProblem('Черновики форм не зашифровать', { cause }),
  );

/** Drafts of a tab that was reloaded without a sign-in, while its author signed in in another tab. */
export async function decryptForms(services: Services, owner: string): Promise<void> {
  await openForms(owner, deviceKeyReader(services));
  if (services.session.current()?.user.userId === owner) showFormDrafts(owner);
}

/**
 * Returns the function that mirrors the session for the worker. Its calls are serialized, each with the current
 * session: a late erasure never affects a new sign-in.
 */
export function createMirror({ session, device: { storage } }: Services): () => Promise<void> {
  let mirroring: Promise<void> = Promise.resolve();
  return () => {
    mirroring = mirroring
      .then(() => {
        const current = session.current();
        return current ? mirrorSession(storage, current) : clearMirror(storage);
      })
      .catch((cause: unknown) => logProblem('Вход не записать на устройство', { cause }));
    return mirroring;
  };
}
