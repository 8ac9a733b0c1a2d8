import * as v from 'valibot';
import { RECEIPTS_FILE_BYTES, ReceiptsFile } from '#contract/handover.ts';
import { fromBase64 } from '#domain/base64url.ts';

/** The messages in a file that a teacher saved, as the camera would bring them; null: it is no such file, or damaged. */
export async function readReceiptsFile(
  file: File,
): Promise<readonly Uint8Array<ArrayBuffer>[] | null> {
  if (file.size > RECEIPTS_FILE_BYTES) return null;
  const text = await file.text();
  try {
    return v.parse(ReceiptsFile, JSON.parse(text.replace(/^\uFEFF/, ''))).receipts.map(fromBase64);
  } catch {
    return null;
  }
}
