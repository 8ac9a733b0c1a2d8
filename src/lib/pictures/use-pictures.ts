import { useEffect, useMemo, useState } from 'react';
import type { Question, StudentQuestion } from '#contract/questions.ts';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';
import { createPictures, fileAddresses, textsOf } from './pictures.ts';

const NONE: readonly Question[] = [];

/**
 * Pictures and recordings, those of the questions prefetched so that none is missing offline. Returns `resolveImage`
 * for `RichText`.
 */
export function usePictures(
  questions: readonly (Question | StudentQuestion)[] = NONE,
): ResolveImage {
  const [pictures] = useState(createPictures);
  const texts = useMemo(() => textsOf(questions), [questions]);
  useEffect(() => {
    // If offline from the start, pictures stay unresolved until the next mount.
    preloadRichText(texts).catch(() => undefined);
  }, [texts]);
  const addresses = fileAddresses(texts).join(' ');
  useEffect(() => {
    void pictures.prefetch(addresses.split(' ').filter(Boolean));
  }, [pictures, addresses]);
  useEffect(() => () => pictures.close(), [pictures]);
  return pictures.resolve;
}
