import { createContext } from 'react';
import { uploadPicture } from '#contract/files.ts';
import { call } from '#app/api/call.ts';
import { decodePicture } from '#app/offline/decode-picture.ts';
import { preparePicture } from '#app/offline/prepare-picture.ts';

/** A megabyte over a school's network takes longer than a usual call may. */
const UPLOAD_MS = 30_000;

/** How a picture gets from a file to the server. */
export interface PictureWayValue {
  /** Rejects with `PictureRefusal`. */
  prepare(file: Blob): Promise<Blob>;
  /** Gives the key. Rejects with `ApiFailure`. */
  upload(picture: Blob): Promise<string>;
}

async function upload(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  return (await call(uploadPicture, { bytes }, { timeoutMs: UPLOAD_MS })).key;
}

/** The browser's and the server's own, unless a test gives another. */
export const PictureWay = createContext<PictureWayValue>({
  prepare: (file) => preparePicture(file, decodePicture),
  upload,
});
