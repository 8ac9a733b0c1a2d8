import { fromBase64 } from '#domain/base64url.ts';
import { getFile } from '#contract/files.ts';
import { call } from '#app/api/call.ts';

/** A stored file by its opaque key. Throws `ApiFailure`. */
export async function fetchFile(key: string, options: { timeoutMs?: number } = {}): Promise<Blob> {
  const { item1, item2 } = await call(getFile, { query: { path: key } }, options);
  return new Blob([fromBase64(item1)], { type: item2 });
}

/** A picture of a question by its opaque key. Throws `ApiFailure`. */
export const fetchPicture = (key: string): Promise<Blob> => fetchFile(key);

/** Downloads bytes as a file; they are never opened as a page of this origin. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
