import { getFile } from '#contract/files.ts';
import { call } from '#app/api/call.ts';

/** Ten megabytes over a school's network take longer than a usual call may. */
const HANDED_IN_MS = 60_000;

/** A picture of a question by its opaque key. Throws `ApiFailure`. */
export const fetchPicture = (key: string): Promise<Blob> => fetchFile(key, {});

/** A handed-in file by its opaque key, however long it takes within a minute. Throws `ApiFailure`. */
export const fetchHandedIn = (key: string): Promise<Blob> =>
  fetchFile(key, { timeoutMs: HANDED_IN_MS });

async function fetchFile(key: string, options: { timeoutMs?: number }): Promise<Blob> {
  const { item1, item2 } = await call(getFile, { query: { path: key } }, options);
  const bytes = Uint8Array.from(atob(item1), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: item2 });
}

/** Offers bytes as a file to keep; nothing of it is opened as a page of our origin. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken its own copy by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
