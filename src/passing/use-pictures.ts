import { useEffect, useMemo, useState } from 'react';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { createPictures, pictureKeys, textsOf } from './pictures.ts';

/** Pictures of the attempt's questions, all fetched at opening so that none is missing offline. */
export function usePictures(view: AttemptView): (key: string) => Promise<string> {
  const { questions } = view;
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
