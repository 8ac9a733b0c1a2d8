import * as v from 'valibot';
import { PICTURE_BYTES, RECORDING_BYTES } from './limits.ts';
import { Id } from './primitives.ts';
import { route } from './route.ts';

/** A picture for questions. Its sender may use it in any of their own tests; readers of such a test may read it. */
export const uploadPicture = route({
  name: 'uploadPicture',
  summary: 'Keep a picture for questions: JPEG, PNG, WebP or GIF by its content, without metadata',
  method: 'POST',
  path: '/api/Files/pictures',
  access: 'teacher',
  ownership: 'none',
  bodyType: 'bytes',
  bodyBytes: PICTURE_BYTES,
  reply: v.object({ key: Id, mimeType: v.string() }),
  errors: ['FILE_REFUSED', 'STORAGE_FULL'],
});

/** A recording for questions, under the same rules as a picture. */
export const uploadRecording = route({
  name: 'uploadRecording',
  summary: 'Keep a recording for questions: MP3, M4A or WAV by its content',
  method: 'POST',
  path: '/api/Files/recordings',
  access: 'teacher',
  ownership: 'none',
  bodyType: 'bytes',
  bodyBytes: RECORDING_BYTES,
  reply: v.object({ key: Id, mimeType: v.string() }),
  errors: ['FILE_REFUSED', 'STORAGE_FULL'],
});
