import { FILE_NAME_CHARACTERS } from '#contract/limits.ts';
import { normalForm } from './normal-form.ts';

/** Control characters, marks that turn the reading direction around, and what cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** What some system takes for a part of a path. */
const UNFIT = /[<>:"|?*]/g;
/** Of a longer path the end is looked at: several times of what a name may have, since some of it falls away. */
const LOOKED_AT = 4 * FILE_NAME_CHARACTERS;
/** What a cut leaves of a character of two code units. */
const HALF = /[\uD800-\uDBFF]$/;
const EXTENSION = /\.[^.\s]{1,15}$/u;

/**
 * A name of a file fit to be kept, shown and saved: its last part alone, without characters that hide
 * or mislead, at most 300 characters of which the extension is one part.
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
