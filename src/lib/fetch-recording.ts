import { downloadFile } from '#contract/files.ts';
import { download } from '#app/api/download.ts';

/** A recording of a question by its opaque key, in pieces as they arrive. Throws `ApiFailure`. */
export const fetchRecording = async (key: string): Promise<Blob> =>
  (await download(downloadFile, { params: { key } })).blob;
