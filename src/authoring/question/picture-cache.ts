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

/** Like `resolve`, but uploads of this page come from the cache. */
export const withLocalPictures =
  (resolve: ResolveImage): ResolveImage =>
  async (key, isRecording) =>
    shown.get(key) ?? (await resolve(key, isRecording));
