import { downloadFile } from '#contract/files.ts';
import { download } from '#app/api/download.ts';

/** Thirty phones that load megabytes at once make pauses. */
const SILENCE_MS = 20_000;

/** A recording of a question by its opaque key, in pieces as they come. Throws `ApiFailure`. */
export const fetchRecording = async (key: string): Promise<Blob> =>
  (await download(downloadFile, { params: { key } }, { silenceMs: SILENCE_MS })).blob;
