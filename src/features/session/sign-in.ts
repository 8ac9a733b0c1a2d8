import type { SignedIn } from '#contract/auth.ts';
import { openRows } from '#app/lib/session/open-rows.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import type { Outbox } from '#app/outbox/outbox.ts';

/**
 * Starts a session once the rows on this device are encrypted and decrypted for it, and before the form with a decrypted
 * draft is shown again. The key is not part of the session, since localStorage is plain text.
 */
export async function signIn(
  { session, outbox }: { session: SessionStore; outbox: Pick<Outbox, 'openRows'> },
  { deviceKey, ...signedIn }: SignedIn,
): Promise<void> {
  await openRows(outbox, signedIn.user.userId, deviceKey ?? null);
  session.signIn(signedIn);
}
