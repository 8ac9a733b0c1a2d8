import { useCallback, useContext } from 'react';
import { Pictures } from '#app/ui/rich-text/pictures-context.ts';
import type { ResolveImage } from '#app/ui/rich-text/pictures.ts';

/** Maximum number of cached uploads of this page. */
const MOST = 40;

const shown = new Map<string, string>();

/** Caches an uploaded picture, so that it is shown without fetching. */
export function keepPicture(key: string, picture: Blob): void {
  shown.set(key, URL.createObjectURL(picture));
  const [oldest] = shown.keys();
  if (shown.size <= MOST || oldest === undefined) return;
  URL.revokeObjectURL(shown.get(oldest) ?? '');
  shown.delete(oldest);
}

/** The pictures of the screen; uploads of this page come from the cache. */
export function useLocalPictures(): ResolveImage {
  const resolve = useContext(Pictures);
  return useCallback(
    async (key, isRecording) => {
      const local = shown.get(key);
      if (local !== undefined) return local;
      if (!resolve) throw new Error('No pictures here');
      return resolve(key, isRecording);
    },
    [resolve],
  );
}
