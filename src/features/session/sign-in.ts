import type { SignedIn } from '#contract/auth.ts';
import { decryptFormDrafts } from '#app/lib/form-draft-storage.ts';
import { logProblem } from '#app/lib/log.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { SessionStore } from '#app/lib/session/session-store.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';

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
  // Before the form that contains them is shown again.
  await decryptFormDrafts(signedIn.user.userId, async () =>
    deviceKey === undefined ? null : importDeviceKey(deviceKey),
  ).catch((cause: unknown) => logProblem('Черновики форм не открыть', { cause }));
  session.signIn(signedIn);
}
