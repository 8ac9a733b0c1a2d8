import { decryptFormDrafts } from '#app/lib/form-draft-storage.ts';
import { logProblem } from '#app/lib/log.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { importDeviceKey } from '#app/storage/cipher.ts';

/** Decrypts a person's form drafts into memory; a failure is logged. */
export const openForms = (...args: Parameters<typeof decryptFormDrafts>): Promise<void> =>
  decryptFormDrafts(...args).catch((cause: unknown) =>
    logProblem('Черновики форм не открыть', { cause }),
  );

/** Encrypts other people's rows on this device and decrypts this person's; their form drafts only into memory. */
export async function openRows(
  outbox: Pick<Outbox, 'openRows'>,
  owner: string,
  deviceKey: string | null,
): Promise<void> {
  await outbox
    .openRows(owner, deviceKey)
    .catch((cause: unknown) => logProblem('Записи на устройстве не открыть', { cause }));
  await openForms(owner, async () => (deviceKey === null ? null : importDeviceKey(deviceKey)));
}
