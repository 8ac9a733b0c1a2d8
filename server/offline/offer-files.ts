import type { Offer } from '#contract/offers.ts';
import { studentQuestion } from '#domain/student-question.ts';
import { one, rows, type Client } from '#server/db/query.ts';
import type { Deps } from '#server/deps.ts';
import { pictureKeys } from '#server/files/lend.ts';
import { Refusal } from '#server/http/refusal.ts';
import { loadContent } from '#server/passing/content.ts';
import { attemptRank } from '#server/passing/part-rank.ts';
import { encryptFile } from './offer-crypto.ts';

/** Pictures and recordings that questions show a student. */
export async function filesOf(db: Client, questions: unknown): Promise<Offer['files']> {
  const keys = pictureKeys(JSON.stringify(questions));
  if (keys.length === 0) return [];
  return rows<{ key: string; bytes: number }>(
    db,
    'select key, octet_length(bytes) as bytes from pictures where key = any($1) order by key',
    [keys],
  );
}

/** Such a file of the caller's own offer, encrypted. @throws {Refusal} NOT_FOUND for any other */
export async function encryptedFile(
  { pool, state }: Deps,
  userId: string,
  { id: testId, offerId, key }: { id: string; offerId: string; key: string },
): Promise<Buffer> {
  const offer = await one<{ contentId: string }>(
    pool,
    `select content_id as "contentId" from offers
     where id = $1 and test_id = $2 and user_id = $3`,
    [offerId, testId, userId],
  );
  if (!offer) throw new Refusal('NOT_FOUND');
  const { questions } = await loadContent(pool, offer.contentId);
  const rank = attemptRank(state, offerId);
  const shown = JSON.stringify(questions.map((question) => studentQuestion(question, rank)));
  if (!pictureKeys(shown).includes(key)) throw new Refusal('NOT_FOUND');
  const file = await one<{ bytes: Buffer; mimeType: string }>(
    pool,
    'select bytes, mime_type as "mimeType" from pictures where key = $1',
    [key],
  );
  if (!file) throw new Refusal('NOT_FOUND');
  const reply = { item1: file.bytes.toString('base64'), item2: file.mimeType };
  return encryptFile(state.sealKey, offerId, key, Buffer.from(JSON.stringify(reply)));
}
