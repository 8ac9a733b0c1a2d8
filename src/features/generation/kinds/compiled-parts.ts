import { shownIdentity } from '#domain/normalise.ts';
import { TemplateError } from '#app/features/generation/template/template-error.ts';

/** All parts; null: one of them has errors. */
export function whole<T>(parts: readonly (T | null)[]): readonly T[] | null {
  const sound = parts.filter((part) => part !== null);
  return sound.length < parts.length ? null : sound;
}

/** @throws {TemplateError} two of the texts look the same to a student */
export function refuseRepeated(what: string, texts: readonly string[]): void {
  const seen = new Set<string>();
  for (const text of texts) {
    const same = shownIdentity(text);
    if (seen.has(same))
      throw new TemplateError(`${what} повторяются: «${text}» встречается дважды`);
    seen.add(same);
  }
}

export const acceptedText = (text: string) => ({ text, share: 1 });
