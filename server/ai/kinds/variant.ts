import * as v from 'valibot';
import { isTrue, options, readOptions, UNCLEAR, writeOptions } from './fields.ts';
import type { AiRules } from './rules.ts';

const Written = v.object({ multiple: v.optional(v.unknown()), options });

export const aiVariant: AiRules<'variant'> = {
  form: `{"kind":"variant","text":"…","multiple":false,"options":[{"text":"…","right":true},{"text":"…","right":false,"feedback":"why it is wrong"}],"explanation":"…","difficulty":"medium","points":1}
  One right option, or several with "multiple":true. Usually four options, of similar length, all plausible, none repeated, no «все перечисленные».`,
  unclear: { options: UNCLEAR.options },
  read: (newId) =>
    v.pipe(
      Written,
      v.transform((written) => {
        const found = readOptions(written.options, newId);
        const right = found.filter(({ isRight }) => isRight).length;
        const multiple = isTrue(written.multiple) || right > 1;
        return { multiple, shuffle: true, scoring: 'partial', options: found };
      }),
    ),
  write: (question) => ({
    multiple: question.multiple,
    options: writeOptions(question.options),
  }),
};
