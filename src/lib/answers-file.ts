import type { Outbox } from '#app/outbox/outbox.ts';
import type { HandoverFile } from '#contract/handover.ts';
import { HANDOVER_FORMAT } from '#contract/limits.ts';
import { toBase64 } from '#domain/base64url.ts';
import { saveFile } from './files.ts';
import { logProblem } from './log.ts';

const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cf}\p{Cs}\s]+/gu;
/** File systems allow 255, with the ending and a number that the browser adds. */
const MAX_NAME_BYTES = 220;

const encoder = new TextEncoder();

/** «Ответы, Кузнецова Анна, Законы Ньютона» */
function fileName(parts: readonly (string | undefined)[]): string {
  const whole = parts
    .filter((part) => part)
    .join(', ')
    .replace(UNSAFE, ' ');
  let name = '';
  let bytes = 0;
  for (const character of whole) {
    bytes += encoder.encode(character).length;
    if (bytes > MAX_NAME_BYTES) break;
    name += character;
  }
  // Windows drops dots and spaces at the end.
  return name.replace(/[. ]+$/, '');
}

/** Shares a file if the system can; false: it cannot. A closed share sheet counts as done. */
async function share(file: File): Promise<boolean> {
  const { share, canShare } = navigator as Partial<Navigator>;
  try {
    if (!share || !canShare?.call(navigator, { files: [file] })) return false;
    await share.call(navigator, { files: [file], title: file.name });
    return true;
  } catch (cause) {
    return cause instanceof Error && cause.name === 'AbortError';
  }
}

/** Shares a JSON text as a file, or downloads it. */
export async function giveFile(
  text: string,
  nameParts: readonly (string | undefined)[],
): Promise<void> {
  const name = fileName(nameParts);
  // Chromium shares plain text, but no JSON.
  const shared = new File([text], `${name}.txt`, { type: 'text/plain' });
  if (await share(shared)) return;
  saveFile(new Blob([text], { type: 'application/json' }), `${name}.json`);
}

/** The encrypted file, whose answers count by themselves; null: it cannot be made, or would lack something. */
async function encryptedFile(outbox: FileSource, owner: string): Promise<string | null> {
  const handover = await outbox
    .handovers()
    .then((handovers) => handovers.make())
    .catch((cause: unknown) => {
      logProblem('Ответы не зашифровать', { cause });
      return null;
    });
  if (handover?.owner !== owner || !handover.isWhole) return null;
  const file: HandoverFile = {
    format: HANDOVER_FORMAT,
    version: 1,
    owner,
    parts: handover.parts.map(toBase64),
  };
  return JSON.stringify(file);
}

export type FileSource = Pick<Outbox, 'exportUnsent' | 'handovers'>;

/**
 * Saves the answers that the server does not have as a file that the teacher can import: shared, or downloaded. Rejects
 * when they cannot be read.
 */
export async function saveAnswers(
  outbox: FileSource,
  owner: string,
  names: readonly (string | undefined)[],
): Promise<void> {
  const text = (await encryptedFile(outbox, owner)) ?? (await outbox.exportUnsent(owner));
  await giveFile(text, ['Ответы', ...names]);
}
