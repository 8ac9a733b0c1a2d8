import type { Outbox } from '#app/outbox/outbox.ts';
import { saveFile } from './files.ts';
import { logProblem } from './log.ts';

const UNSAFE = /[\\/:*?"<>|\p{Cc}\s]+/gu;
const MAX_NAME = 120;

/** «Ответы, Кузнецова Анна, Законы Ньютона» */
const answersFileName = (parts: readonly (string | undefined)[]): string =>
  ['Ответы', ...parts]
    .filter((part) => part)
    .join(', ')
    .replace(UNSAFE, ' ')
    .slice(0, MAX_NAME)
    .trim();

/** Shares a file where the system can; false: it cannot. A closed share sheet counts as done. */
async function share(file: File): Promise<boolean> {
  const { share, canShare } = navigator as Partial<Navigator>;
  if (!share || !canShare?.call(navigator, { files: [file] })) return false;
  try {
    await share.call(navigator, { files: [file], title: file.name });
    return true;
  } catch (cause) {
    return cause instanceof DOMException && cause.name === 'AbortError';
  }
}

/** Gives what the server does not have as a file that the teacher can import: shared, or downloaded. */
export async function saveAnswers(
  outbox: Pick<Outbox, 'exportUnsent'>,
  owner: string,
  names: readonly (string | undefined)[],
): Promise<void> {
  try {
    const text = await outbox.exportUnsent(owner);
    const name = answersFileName(names);
    // Chromium shares plain text, but no JSON.
    const shared = new File([text], `${name}.txt`, { type: 'text/plain' });
    if (await share(shared)) return;
    saveFile(new Blob([text], { type: 'application/json' }), `${name}.json`);
  } catch (cause) {
    logProblem('Ответы не сохранить в файл', { cause });
  }
}
