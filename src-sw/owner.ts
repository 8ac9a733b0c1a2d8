import { readMirror } from '#app/storage/session-mirror.ts';
import type { Storage } from '#app/storage/storage.ts';

/**
 * Whose request this is: the signed-in person of this device, when the request bears his token.
 * Null for anybody else, and then nothing is kept or taken from what is kept.
 */
export async function ownerOf(request: Request, storage: Storage): Promise<string | null> {
  const bearer = request.headers.get('authorization');
  if (bearer === null) return null;
  const mirror = await readMirror(storage);
  return mirror && bearer === `Bearer ${mirror.token}` ? mirror.owner : null;
}
