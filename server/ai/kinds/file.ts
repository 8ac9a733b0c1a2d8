import * as v from 'valibot';
import { FILE_BYTES } from '#contract/limits.ts';
import type { AiRules } from './rules.ts';

export const aiFile: AiRules<'file'> = {
  form: `{"kind":"file","text":"…","explanation":"…","difficulty":"medium","points":3}
  A task whose solution is handed in as a photo or a document and graded by the teacher.`,
  unclear: {},
  read: () =>
    v.pipe(
      v.object({}),
      v.transform(() => ({ maxBytes: FILE_BYTES, accept: [] })),
    ),
  write: () => ({}),
};
