import * as v from 'valibot';
import { RECEIPTS_FILE_BYTES, ReceiptsFile } from '#contract/handover.ts';
import { readBase64 } from '#domain/base64url.ts';

/**
 * The messages in a file that a teacher saved, as the camera would bring them, without damaged ones; null: it is no such
 * file, or nothing of it is left.
 */
export async function readReceiptsFile(
  file: File,
): Promise<readonly Uint8Array<ArrayBuffer>[] | null> {
  if (file.size > RECEIPTS_FILE_BYTES) return null;
  const text = await file.text();
  try {
    const { receipts } = v.parse(ReceiptsFile, JSON.parse(text.replace(/^\uFEFF/, '')));
    const messages = receipts.map(readBase64).filter((bytes) => bytes !== null);
    return messages.length > 0 ? messages : null;
  } catch {
    return null;
  }
}
