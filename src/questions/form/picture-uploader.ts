import { createContext } from 'react';
import { uploadPicture, uploadRecording } from '#contract/pictures.ts';
import { call } from '#app/api/call.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import { preparePicture } from '#app/lib/pictures/prepare-picture.ts';
import { isRecording, prepareRecording } from '#app/lib/recordings.ts';

/** Megabytes over a school's network take longer than the default timeout. */
const UPLOAD_MS = 60_000;

/** Preparation and upload of a picture or a recording. */
export interface PictureUploaderValue {
  /** Rejects with `PictureRefusal`. */
  prepare(file: Blob): Promise<Blob>;
  /** Resolves with the key. Rejects with `ApiFailure`, also when stopped. */
  upload(picture: Blob, signal?: AbortSignal): Promise<string>;
}

async function upload(file: Blob, signal?: AbortSignal): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const route = isRecording(file) ? uploadRecording : uploadPicture;
  return (await call(route, { bytes }, { timeoutMs: UPLOAD_MS, ...(signal && { signal }) })).key;
}

/** The real implementation; tests inject a fake. */
export const PictureUploader = createContext<PictureUploaderValue>({
  prepare: (file) =>
    isRecording(file) ? prepareRecording(file) : preparePicture(file, decodePicture),
  upload,
});
