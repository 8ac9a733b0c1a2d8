import { useEffect, useMemo, useState } from 'react';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import { createPictures, pictureKeys, textsOf } from './pictures.ts';

/**
 * Pictures of some questions, all fetched at opening so that none is missing offline. Gives what
 * `RichText` takes as `resolveImage`.
 */
export function usePictures(
  questions: readonly (Question | StudentQuestion)[],
): (key: string) => Promise<string> {
  const [pictures] = useState(createPictures);
  const texts = useMemo(() => textsOf(questions), [questions]);
  useEffect(() => {
    // Offline from the start the texts stay as typed; the next opening tries again.
    preloadRichText(texts).catch(() => undefined);
  }, [texts]);
  const keys = pictureKeys(texts).join(' ');
  useEffect(() => {
    void pictures.prefetch(keys.split(' ').filter(Boolean));
  }, [pictures, keys]);
  useEffect(() => () => pictures.close(), [pictures]);
  return pictures.resolve;
}
