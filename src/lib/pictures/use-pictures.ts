import { useEffect, useMemo, useState } from 'react';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { createPictures, pictureKeys, textsOf } from './pictures.ts';

/**
 * Pictures of questions, all prefetched so that none is missing offline. Returns `resolveImage` for `RichText`.
 */
export function usePictures(
  questions: readonly (Question | StudentQuestion)[],
): (key: string) => Promise<string> {
  const [pictures] = useState(createPictures);
  const texts = useMemo(() => textsOf(questions), [questions]);
  useEffect(() => {
    // If offline from the start, pictures stay unresolved until the next mount.
    preloadRichText(texts).catch(() => undefined);
  }, [texts]);
  const keys = pictureKeys(texts).join(' ');
  useEffect(() => {
    void pictures.prefetch(keys.split(' ').filter(Boolean));
  }, [pictures, keys]);
  useEffect(() => () => pictures.close(), [pictures]);
  return pictures.resolve;
}
