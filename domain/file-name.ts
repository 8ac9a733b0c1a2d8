import { FILE_NAME_CHARACTERS } from '#contract/limits.ts';
import { normalForm } from './normal-form.ts';

/** Control characters, bidirectional marks, and invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** Characters that some system treats as path separators or drives. */
const UNFIT = /[<>:"|?*]/g;
/** Only the end of a longer path is read: several times a name's limit, since some characters are removed. */
const LOOKED_AT = 4 * FILE_NAME_CHARACTERS;
/** Half a surrogate pair left by a cut. */
const HALF = /[\uD800-\uDBFF]$/;
const EXTENSION = /\.[^.\s]{1,15}$/u;

/**
 * A file name safe to store, show and save: the last path segment, without characters that hide or mislead, at
 * most 300 characters including the extension.
 */
export function safeFileName(given: string, fallback = 'файл'): string {
  const last = normalForm(given.slice(-LOOKED_AT), 'NFC').split(/[/\\]/).at(-1) ?? '';
  const seen = last
    .replaceAll(UNSEEN, '')
    .replaceAll(UNFIT, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '');
  const extension = EXTENSION.exec(seen)?.[0] ?? '';
  const short = seen
    .slice(0, seen.length - extension.length)
    .slice(0, FILE_NAME_CHARACTERS - extension.length)
    .replace(HALF, '')
    .trimEnd();
  return short === '' ? `${fallback}${extension}` : `${short}${extension}`;
}

/** The extension in lower case, without its dot; empty: none. */
export const extensionOf = (name: string): string =>
  EXTENSION.exec(name)?.[0].slice(1).toLowerCase() ?? '';
