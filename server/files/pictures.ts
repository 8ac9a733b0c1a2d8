import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { uploadPicture, uploadRecording } from '#contract/pictures.ts';
import { lockCaller } from '#server/auth/caller.ts';
import { one, transaction } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { requireRoomForFiles } from './disk-reserve.ts';
import { validatePicture } from './picture/clean.ts';
import { RECORDING_REFUSED, recordingType } from './recording.ts';

interface CleanFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** Stores a file for questions once for each owner; returns its key. */
async function storeForQuestions(
  deps: Deps,
  ownerId: string,
  { bytes, mimeType }: CleanFile,
  now: Date,
): Promise<{ key: string; mimeType: string }> {
  const digest = createHash('sha256').update(bytes).digest();
  const stored = await transaction(deps.pool, async (client) => {
    await lockCaller(client, ownerId);
    return one<{ key: string }>(
      client,
      `insert into pictures (key, owner_id, digest, mime_type, bytes, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (owner_id, digest) where digest is not null
         do update set created_at = excluded.created_at, unnamed_since = null
       returning key`,
      // Random: pictures of options and pairs are sent one after another.
      [randomUUID(), ownerId, digest, mimeType, bytes, now],
    );
  });
  if (!stored) throw new Error('the file was not kept');
  return { key: stored.key, mimeType };
}

/** Pictures and recordings for questions. */
export function registerPictures(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, uploadPicture, async ({ caller, bytes, now }) => {
    await requireRoomForFiles(deps);
    const judged = await validatePicture(bytes);
    if (!judged.isAccepted) throw new Refusal('FILE_REFUSED', { message: judged.why });
    return storeForQuestions(deps, caller.userId, judged, now);
  });

  handle(app, deps, uploadRecording, async ({ caller, bytes, now }) => {
    await requireRoomForFiles(deps);
    const mimeType = await recordingType(bytes);
    if (mimeType === null) throw new Refusal('FILE_REFUSED', { message: RECORDING_REFUSED });
    return storeForQuestions(deps, caller.userId, { bytes, mimeType }, now);
  });
}
