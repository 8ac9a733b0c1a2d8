import { downloadFile, getFile } from '#contract/files.ts';
import { parseDuration } from '#domain/duration.ts';
import { offerCountsUntil } from '#domain/offline-begin.ts';
import { pageConfig } from '#app/api/call.ts';
import { urlOf } from '#app/api/url.ts';
import { fromBase64 } from '#domain/base64url.ts';
import { logProblem } from '#app/lib/log.ts';
import { newId } from '#app/lib/new-id.ts';
import { freeSpace } from '#app/offline/free-space.ts';
import { picturesCache } from '#app/offline/pictures-cache.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import type { LocalAttempt } from '#app/outbox/types.ts';
import { deleteOffer, forgetGuesses, readOffer } from '#app/storage/offer-database.ts';
import { StorageFailure, type Storage } from '#app/storage/storage.ts';
import { parsedJson } from '#app/api/exchange.ts';
import * as v from 'valibot';
import { noteWrongCode, secondsToWait } from './guess-limit.ts';
import { deviceKeyOf, type OfferProblem } from './offer-state.ts';
import { openOffer, type OpenedFile } from './open-offer.ts';

/** Begins a test on this device with its start code. */

export interface BeginServices {
  readonly outbox: Pick<Outbox, 'begins'>;
  readonly storage: Storage;
  /** The school's. */
  readonly timeZone: string;
}

export type BeginOutcome =
  | { readonly kind: 'begun'; readonly attempt: LocalAttempt }
  /** The next code may be tried in so many seconds; `tooEarly`: this one was not. */
  | { readonly kind: 'wrongCode' | 'tooEarly'; readonly seconds: number }
  /** The device could not store the begin, or the pictures: nothing has begun. */
  | { readonly kind: 'notStored' }
  | { readonly kind: OfferProblem };

/** As the worker caches the replies that the page will ask for. */
function replyOf({ key, text }: OpenedFile): { url: string; response: Response } | null {
  const parsed = v.safeParse(getFile.reply, parsedJson(text));
  if (!parsed.success) return null;
  const { item1, item2 } = parsed.output;
  if (!item2.startsWith('audio/')) {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return {
      url: urlOf(getFile, { query: { path: key } }),
      response: new Response(text, { headers }),
    };
  }
  const headers = { 'content-type': item2, 'content-disposition': 'attachment' };
  return {
    url: urlOf(downloadFile, { params: { key } }),
    response: new Response(fromBase64(item1), { headers }),
  };
}

/**
 * Pictures and recordings go where the worker looks for them. The offer is their only copy on this device, so without a
 * place for them nothing begins. False: there is none.
 */
async function cacheFiles(owner: string, files: readonly OpenedFile[]): Promise<boolean> {
  if (files.length === 0 || !('caches' in globalThis)) return true;
  const putAll = async () => {
    const cache = await caches.open(picturesCache(owner));
    for (const file of files) {
      const reply = replyOf(file);
      if (reply) await cache.put(pageConfig.baseUrl + reply.url, reply.response);
    }
  };
  try {
    await putAll().catch(async () => {
      await freeSpace();
      await putAll();
    });
    return true;
  } catch (cause) {
    logProblem('Картинки теста не сохранить', { cause });
    return false;
  }
}

/**
 * Opens the offer and stores the begin of its attempt. Whatever fails, nothing has begun, and the same code may be typed
 * again; only a damaged offer is deleted, and fetched again.
 */
export async function beginOffline(
  { outbox, storage, timeZone }: BeginServices,
  owner: string,
  testId: string,
  code: string,
): Promise<BeginOutcome> {
  const deviceKey = await deviceKeyOf(owner, storage);
  if (typeof deviceKey === 'string') return { kind: deviceKey };
  const stored = await readOffer(owner, testId);
  if (stored === null) return { kind: 'notFetched' };
  if (stored === 'damaged') return { kind: 'damaged' };
  const { offer } = stored;
  const { offerId: attemptId } = offer;
  const early = await secondsToWait(owner, attemptId);
  if (early > 0) return { kind: 'tooEarly', seconds: early };
  const stream = newId();
  const opened = await openOffer(stored, code, deviceKey, stream);
  if (opened === 'wrongCode')
    return { kind: 'wrongCode', seconds: await noteWrongCode(owner, attemptId) };
  if (opened === 'damaged') await deleteOffer(owner, testId);
  if (typeof opened === 'string') return { kind: opened };
  if (!(await cacheFiles(owner, opened.files))) return { kind: 'notStored' };
  const { title, language, attemptNumber, attemptsCount, endsAt } = offer;
  try {
    const begins = await outbox.begins();
    const attempt = await begins.store({
      owner,
      attemptId,
      testId,
      title,
      language,
      attemptNumber,
      attemptsCount,
      stream,
      questions: opened.questions,
      proof: opened.proof,
      durationMs: parseDuration(offer.duration),
      endsAt: endsAt === null ? null : Date.parse(endsAt),
      countsUntil: (deadline) => offerCountsUntil(offer, deadline, timeZone),
    });
    await forgetOpened(owner, testId, attemptId);
    return { kind: 'begun', attempt };
  } catch (error) {
    if (!(error instanceof StorageFailure)) throw error;
    return { kind: 'notStored' };
  }
}

/** The attempt is stored: what is left here is deleted at the next chance, too. */
const forgetOpened = (owner: string, testId: string, offerId: string): Promise<void> =>
  Promise.all([deleteOffer(owner, testId), forgetGuesses(owner, offerId)]).then(
    () => undefined,
    (cause: unknown) => logProblem('Начатый тест не убрать из подготовленных', { cause }),
  );
