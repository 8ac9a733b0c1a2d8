import type { PictureWayValue } from '#app/authoring/question/picture-way.ts';
import type { Question } from '#contract/questions.ts';
import { isRefusal } from '#app/api/failure.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { namedPictures, readyQuestions } from './import-plan.ts';
import type { ImportedTest } from './messages.ts';

export interface Brought {
  readonly questions: readonly Question[];
  /** Failed pictures, each with a message. */
  readonly lost: readonly string[];
}

/**
 * Re-encodes and uploads the pictures of the chosen questions, and returns the questions with their picture
 * keys. An unreadable picture is reported and omitted.
 * @throws {ApiFailure} the server is unreachable; `DOMException` AbortError when stopped: nothing was imported
 */
export async function bring(
  imported: ImportedTest,
  chosen: ReadonlySet<number>,
  way: PictureWayValue,
  onProgress: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<Brought> {
  const wanted = namedPictures(
    imported.items.filter((_, index) => chosen.has(index)).map(({ question }) => question),
  );
  const pictures = imported.pictures.filter(({ key }) => wanted.has(key));
  const keys = new Map<string, string>();
  const lost: string[] = [];
  for (const [index, { key, name, mimeType, bytes }] of pictures.entries()) {
    signal.throwIfAborted();
    onProgress(index, pictures.length);
    const prepared = await way
      .prepare(new Blob([bytes as BlobPart], { type: mimeType }))
      .catch((error: unknown) => {
        lost.push(`${name}: ${error instanceof Error ? error.message : 'рисунок не открылся'}`);
        return null;
      });
    if (!prepared) continue;
    try {
      keys.set(key, await way.upload(prepared));
    } catch (error) {
      if (!isRefusal(error, 'FILE_REFUSED')) throw error;
      lost.push(`${name}: ${describeFailure(error)}`);
    }
  }
  signal.throwIfAborted();
  return { questions: readyQuestions(imported, chosen, keys), lost };
}
