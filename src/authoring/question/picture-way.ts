import { createContext } from 'react';
import { uploadPicture } from '#contract/files.ts';
import { call } from '#app/api/call.ts';
import { decodePicture } from '#app/lib/pictures/decode-picture.ts';
import { preparePicture } from '#app/lib/pictures/prepare-picture.ts';

/** A megabyte over a school's network takes longer than the default timeout. */
const UPLOAD_MS = 30_000;

/** Preparation and upload of a picture. */
export interface PictureWayValue {
  /** Rejects with `PictureRefusal`. */
  prepare(file: Blob): Promise<Blob>;
  /** Resolves with the key. Rejects with `ApiFailure`. */
  upload(picture: Blob): Promise<string>;
}

async function upload(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return (await call(uploadPicture, { bytes }, { timeoutMs: UPLOAD_MS })).key;
}

/** The real implementation; tests inject a fake. */
export const PictureWay = createContext<PictureWayValue>({
  prepare: (file) => preparePicture(file, decodePicture),
  upload,
});
