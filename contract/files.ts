import * as v from 'valibot';
import { Id } from './primitives.ts';
import { route } from './route.ts';

/** File by its opaque key: base64 and MIME type (specification, section 3). */
export const getFile = route({
  name: 'getFile',
  summary:
    'A picture or recording of a question, a handed-in file or a file of a project, by its opaque key',
  method: 'GET',
  path: '/api/Files/file',
  access: 'signedIn',
  ownership: 'file',
  query: v.object({ path: v.pipe(v.string(), v.minLength(1), v.maxLength(300)) }),
  reply: v.object({ item1: v.string(), item2: v.string() }),
  errors: ['NOT_FOUND'],
});

/**
 * The file itself: an attachment with its name, never rendered by the browser in our origin (`nosniff`, a
 * sandboxing policy).
 */
export const downloadFile = route({
  name: 'downloadFile',
  summary: 'A file by its opaque key, as an attachment',
  method: 'GET',
  path: '/api/Files/{key}/content',
  access: 'signedIn',
  ownership: 'file',
  params: v.object({ key: Id }),
  replyType: 'bytes',
  reply: v.object({}),
  errors: ['NOT_FOUND'],
});
