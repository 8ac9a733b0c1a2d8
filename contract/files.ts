import * as v from 'valibot';
import { route } from './route.ts';

/** File by its opaque key: base64 and MIME type (specification, section 3). */
export const getFile = route({
  name: 'getFile',
  summary: 'A picture of a question or a handed-in file, by its opaque key',
  method: 'GET',
  path: '/api/Files/file',
  access: 'signedIn',
  ownership: 'file',
  query: v.object({ path: v.pipe(v.string(), v.minLength(1), v.maxLength(300)) }),
  reply: v.object({ item1: v.string(), item2: v.string() }),
  errors: ['NOT_FOUND'],
});
