import type { PoolClient } from 'pg';
import { one } from '#server/db/query.ts';
import type { PassingLimits } from '#server/deps.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Attempt } from './attempt.ts';

const DAY_MS = 24 * 60 * 60_000;

const OF_ATTEMPT =
  'В этой попытке файлы заменяли слишком много раз: этот не принят. Отправленные раньше целы. Позовите преподавателя';
const OF_DAY =
  'За сутки отправлено слишком много файлов: этот не принят. Отправленные раньше целы. Позовите преподавателя или отправьте файл завтра';

interface SentFilesCount {
  readonly files: number;
  readonly bytes: number;
}

/** Files of the attempt beyond the limits of its questions; null: this one is not. */
async function replacedBy(
  client: PoolClient,
  attemptId: string,
  questionId: string,
  maxFiles: ReadonlyMap<string, number>,
): Promise<SentFilesCount | null> {
  return one<SentFilesCount>(
    client,
    `select count(*) filter (where place > most) as files,
       coalesce(sum(size) filter (where place > most), 0) as bytes
     from (
       select question_id, size, coalesce(($3::jsonb ->> question_id::text)::integer, 1) as most,
         row_number() over (partition by question_id order by created_at, id) as place
       from uploads where attempt_id = $1
     ) sent having bool_or(question_id = $2 and place >= most)`,
    [attemptId, questionId, JSON.stringify(Object.fromEntries(maxFiles))],
  );
}

async function sentSince(client: PoolClient, userId: string, since: Date): Promise<SentFilesCount> {
  const sent = await one<SentFilesCount>(
    client,
    `select count(*) as files, coalesce(sum(u.size), 0) as bytes
     from uploads u join attempts a on a.id = u.attempt_id
     where a.user_id = $1 and u.created_at > $2`,
    [userId, since],
  );
  return sent ?? { files: 0, bytes: 0 };
}

/**
 * The first files, up to the limit of a question, are always accepted. Replacements are limited, and so are the files
 * that one person sends within a day. Received files stay.
 * @param maxFiles of each question that accepts files
 * @throws {Refusal} TOO_MANY_FILES
 */
export async function requireUploadAllowance(
  client: PoolClient,
  limits: PassingLimits,
  attempt: Attempt,
  { questionId, size }: { readonly questionId: string; readonly size: number },
  maxFiles: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  // Files that begin at the same time are counted one after another.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `uploads/${attempt.userId}`,
  ]);
  const replaced = await replacedBy(client, attempt.id, questionId, maxFiles);
  if (
    replaced &&
    (replaced.files >= limits.replacedFilesPerAttempt ||
      replaced.bytes + size > limits.replacedFileBytesPerAttempt)
  )
    throw new Refusal('TOO_MANY_FILES', { message: OF_ATTEMPT });
  const today = await sentSince(client, attempt.userId, new Date(now.getTime() - DAY_MS));
  if (today.files >= limits.filesPerDay || today.bytes + size > limits.fileBytesPerDay)
    throw new Refusal('TOO_MANY_FILES', { message: OF_DAY });
}
