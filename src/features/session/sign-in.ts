import type { SignedIn } from '#contract/auth.ts';
import { logProblem } from '#app/lib/log.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';

/**
 * Starts a session: other people's rows on this device are encrypted and this person's are decrypted first. The
 * key is not part of the session, since localStorage is plain text.
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
