import type { SignedIn } from '#contract/auth.ts';
import { logProblem } from '#app/offline/log.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SessionStore } from './session-store.ts';

/**
 * Begins a sign-in: first what others left on this device is encrypted and what this person left comes back,
 * then the app goes on with him. The key stays out of the session, which localStorage holds in plain.
 */
export async function signIn(
  { session, outbox }: { session: SessionStore; outbox: Pick<Outbox, 'openRows'> },
  { deviceKey, ...signedIn }: SignedIn,
): Promise<void> {
  await outbox
    .openRows(signedIn.user.userId, deviceKey ?? null)
    .catch((cause: unknown) => logProblem('Записи на устройстве не открыть', { cause }));
  session.signIn(signedIn);
}
