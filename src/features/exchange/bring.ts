import pLimit from 'p-limit';
import type { PictureUploaderValue } from '#app/questions/form/picture-uploader.ts';
import type { Question } from '#contract/questions.ts';
import { isRefusal } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { namedPictures, readyQuestions } from './import-plan.ts';
import { PictureRefusal } from '#app/lib/pictures/prepare-picture.ts';
import type { ImportedTest } from './messages.ts';
import type { SentPictures } from './sent-pictures.ts';

/** One picture is re-encoded while others are uploaded. More uploads would only share the school's connection. */
const UPLOADS_AT_ONCE = 3;

export interface Brought {
  readonly questions: readonly Question[];
  /** Failed pictures, each with a message. */
  readonly lost: readonly string[];
}

export interface BringOptions {
  readonly uploader: PictureUploaderValue;
  /** Pictures that are on the server already. Each new one is added as soon as it is stored. */
  readonly sent: SentPictures;
  readonly onProgress: (done: number, of: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Re-encodes and uploads the pictures of the chosen questions, and returns the questions with their picture keys. An
 * unreadable picture is reported and omitted; equal ones are uploaded once.
 * @throws {ApiFailure} the server is unreachable; `DOMException` AbortError when stopped: no question was imported, and
 * a repeat continues after the pictures in `sent`
 */
export async function bring(
  imported: ImportedTest,
  chosen: ReadonlySet<number>,
  { uploader, sent, onProgress, signal }: BringOptions,
): Promise<Brought> {
  const wanted = namedPictures(
    imported.items.filter((_, index) => chosen.has(index)).map(({ question }) => question),
  );
  const named = imported.pictures.filter(({ key }) => wanted.has(key));
  const pictures = [...new Map(named.map((picture) => [picture.digest, picture])).values()];
  const unsent = pictures.filter(({ digest }) => sent.keyOf(digest) === null);
  const lost: string[] = [];
  let isOver = false;
  let done = pictures.length - unsent.length;
  const report = () => {
    if (!isOver && !signal.aborted) onProgress(done, pictures.length);
  };
  report();

  const send = async ({ digest, name, mimeType, bytes }: (typeof pictures)[number]) => {
    signal.throwIfAborted();
    const prepared = await uploader
      .prepare(new Blob([bytes as BlobPart], { type: mimeType }))
      .catch((error: unknown) => {
        lost.push(
          `${name}: ${error instanceof PictureRefusal ? error.message : 'рисунок не открылся'}`,
        );
        return null;
      });
    signal.throwIfAborted();
    if (prepared) {
      try {
        sent.add(digest, await uploader.upload(prepared, signal));
      } catch (error) {
        if (!isRefusal(error, 'FILE_REFUSED')) throw error;
        lost.push(`${name}: ${describeFailure(error)}`);
      }
    }
    done += 1;
    report();
  };
  const limit = pLimit(UPLOADS_AT_ONCE);
  try {
    await limit.map(unsent, send);
  } finally {
    isOver = true;
    limit.clearQueue();
  }
  signal.throwIfAborted();
  const keys = named.flatMap(({ key, digest }) => {
    const there = sent.keyOf(digest);
    return there === null ? [] : [[key, there] as const];
  });
  return { questions: readyQuestions(imported, chosen, new Map(keys)), lost };
}
