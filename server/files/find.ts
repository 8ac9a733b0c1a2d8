import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { ROLE } from '#contract/auth.ts';
import { namesOfKind, servedType } from '#domain/file-types.ts';
import type { AuthenticatedUser } from '#server/auth/caller.ts';
import { one } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readableAttempt } from '#server/passing/access.ts';
import { type HandedInFile, readHandedIn } from '#server/passing/handed-in.ts';
import { createUploadStore } from '#server/passing/upload-store.ts';
import { hasPicture, isInSharedBank } from './picture-access.ts';
import { sharedAsSql } from '#server/tests/level.ts';
import { maySeeOwnAnswers } from '#server/tests/visible.ts';

const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A file that the caller may read. */
export interface FoundFile {
  readonly bytes: Buffer | Readable;
  /** Bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** As its sender named it. */
  readonly name: string;
}

interface FileQuery {
  readonly caller: AuthenticatedUser;
  readonly key: string;
  readonly now: Date;
}

/** A class loads a recording at once: only a piece of it for each student is in memory. */
const PIECE_BYTES = 256 * 1024;

async function* piecesOf(pool: Pool, key: string, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += PIECE_BYTES) {
    const found = await one<{ piece: Buffer }>(
      pool,
      'select substring(bytes from $2 for $3) as piece from pictures where key = $1',
      [key, from + 1, PIECE_BYTES],
    );
    if (!found) throw new Error('the recording was deleted on its way');
    yield found.piece;
  }
}

/**
 * A picture or recording of a question: for its sender, for teachers who got it with a question, for colleagues who
 * share the bank of one of these, and through each test that shows it for those who manage the test and for students
 * with an attempt on it.
 */
async function findPicture(deps: Deps, { caller, key }: FileQuery): Promise<FoundFile | null> {
  const found = await one<{ bytes: Buffer | null; size: number; mimeType: string }>(
    deps.pool,
    `select case when mime_type not like 'audio/%' then bytes end as bytes,
       octet_length(bytes) as size, mime_type as "mimeType"
     from pictures p where key = $1 and (
       owner_id = $2
       or ($3 or $4) and (${hasPicture('$2')} or ${isInSharedBank('$2')})
       or exists (
         select 1 from tests t
         where t.id in (select u.test_id from picture_uses u where u.key = p.key
             union all select p.test_id)
           and ($3 or $4 and (t.owner_id = $2 or ${sharedAsSql('$2')} is not null) or exists (
             select 1 from attempts x
             where x.test_id = t.id and x.user_id = $2 and x.deleted_at is null
               and not x.begin_held))))`,
    [key, caller.userId, caller.role === ROLE.admin, caller.role === ROLE.teacher],
  );
  if (!found) return null;
  const { bytes, mimeType } = found;
  const [extension = 'bin'] = namesOfKind(mimeType);
  if (bytes) return { ...found, bytes, name: `картинка.${extension}` };
  return {
    ...found,
    bytes: Readable.from(piecesOf(deps.pool, key, found.size)),
    name: `запись.${extension}`,
  };
}

interface UploadRow extends HandedInFile {
  readonly attemptId: string;
  readonly mimeType: string;
  readonly name: string;
  readonly size: number;
}

/** A handed-in file: for those who may read its attempt. */
async function findUpload(deps: Deps, { caller, key, now }: FileQuery): Promise<FoundFile | null> {
  const upload = await one<UploadRow>(
    deps.pool,
    `select id, attempt_id as "attemptId", mime_type as "mimeType", name, size, sha256 from uploads
     where id = $1 and completed_at is not null`,
    [key],
  );
  if (!upload) return null;
  const { attempt, as } = await readableAttempt(deps.pool, caller, upload.attemptId);
  if (as === 'student' && !(await maySeeOwnAnswers(deps.pool, attempt, now))) return null;
  const bytes = await readHandedIn(deps, createUploadStore(deps.dataDir), upload);
  return bytes && { ...upload, mimeType: servedType(upload.mimeType), bytes };
}

/** Logo or documentation of a project: for every signed-in person, unless the project is hidden. */
async function findProjectFile(deps: Deps, { caller, key }: FileQuery): Promise<FoundFile | null> {
  const file = await one<{ sha256: string; mimeType: string; name: string; size: number }>(
    deps.pool,
    `select encode(f.sha256, 'hex') as sha256, f.mime_type as "mimeType", f.name, f.size
     from project_files f join projects p on p.id = f.project_id
     where f.key = $1 and (p.hidden_at is null or p.owner_id = $2 or $3)`,
    [key, caller.userId, caller.role === ROLE.admin],
  );
  if (!file) return null;
  const bytes = await deps.blobs.open(file.sha256);
  return bytes && { ...file, bytes };
}

/**
 * The file of an opaque key. Keys are UUIDs: anything else is not found, so none leads to a folder.
 * @throws {Refusal} NOT_FOUND also for a file that the caller may not read
 */
export async function findFile(deps: Deps, sought: FileQuery): Promise<FoundFile> {
  if (!KEY.test(sought.key)) throw new Refusal('NOT_FOUND');
  const found =
    (await findPicture(deps, sought)) ??
    (await findProjectFile(deps, sought)) ??
    (await findUpload(deps, sought));
  if (!found) throw new Refusal('NOT_FOUND');
  return found;
}
