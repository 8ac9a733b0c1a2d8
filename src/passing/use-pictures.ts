import { useEffect, useState } from 'react';
import { preloadRichText } from '#app/ui/rich-text/engine.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { createPictures, pictureKeys } from './pictures.ts';

/** Pictures of the attempt's questions, all fetched at opening so that none is missing offline. */
export function usePictures(view: AttemptView): (key: string) => Promise<string> {
  const { questions } = view;
  const [pictures] = useState(createPictures);
  const keys = pictureKeys(questions).join(' ');
  useEffect(() => {
    // Offline from the start the texts stay as typed; the next opening tries again.
    preloadRichText().catch(() => undefined);
    void pictures.prefetch(keys.split(' ').filter(Boolean));
  }, [pictures, keys]);
  useEffect(() => () => pictures.close(), [pictures]);
  return pictures.resolve;
}
