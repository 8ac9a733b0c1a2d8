import type { FastifyInstance } from 'fastify';
import { ROLE } from '#contract/auth.ts';
import { getFile } from '#contract/files.ts';
import type { Caller } from '#server/auth/caller.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readableAttempt } from '#server/passing/access.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { maySeeOwnAnswers } from '#server/tests/visible.ts';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Found {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/**
 * A picture of a question: for whoever sent it, and through each test that shows it for the test's
 * editors and for students who have an attempt on it.
 */
async function findPicture(deps: Deps, caller: Caller, key: string): Promise<Found | null> {
  return one<Found>(
    deps.pool,
    `select bytes, mime_type as "mimeType" from pictures p where key = $1 and (
       owner_id = $2 or exists (
         select 1 from tests t
         where t.id in (select u.test_id from picture_uses u where u.key = p.key
             union all select p.test_id)
           and ($3 or $4 and t.owner_id = $2 or exists (
             select 1 from attempts x
             where x.test_id = t.id and x.user_id = $2 and x.deleted_at is null))))`,
    [key, caller.userId, caller.role === ROLE.admin, caller.role === ROLE.teacher],
  );
}

/** A handed-in file: for those who may read its attempt; it is an own answer. */
async function findUpload(
  deps: Deps,
  caller: Caller,
  key: string,
  now: Date,
): Promise<Found | null> {
  const upload = await one<{ attemptId: string; mimeType: string }>(
    deps.pool,
    `select attempt_id as "attemptId", mime_type as "mimeType" from uploads
     where id = $1 and completed_at is not null`,
    [key],
  );
  if (!upload) return null;
  const { attempt, as } = await readableAttempt(deps.pool, caller, upload.attemptId);
  if (as === 'student' && !(await maySeeOwnAnswers(deps.pool, attempt, now))) return null;
  const bytes = await createUploadStore(deps.dataDir).read(key);
  return bytes && { bytes, mimeType: upload.mimeType };
}

/** Keys are opaque UUIDs: any other `path` is simply not found, so none leads to a folder. */
export function registerFiles(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getFile, async ({ caller, query, now }) => {
    const key = query.path;
    if (!KEY.test(key)) throw new Refusal('NOT_FOUND');
    const found =
      (await findPicture(deps, caller, key)) ?? (await findUpload(deps, caller, key, now));
    if (!found) throw new Refusal('NOT_FOUND');
    return { item1: found.bytes.toString('base64'), item2: found.mimeType };
  });
}
