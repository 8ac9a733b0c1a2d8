import * as v from 'valibot';
import { accepted, readAccepted, tolerance, UNCLEAR, writeAccepted } from './fields.ts';
import type { AiRules } from './rules.ts';

const Written = v.object({
  input: v.fallback(v.picklist(['line', 'number', 'text']), 'line'),
  accepted,
  tolerance,
});

export const aiOpen: AiRules<'open'> = {
  form: `{"kind":"open","text":"…","input":"number","accepted":[{"text":"9,8","share":1}],"tolerance":0.1,"explanation":"…","difficulty":"easy","points":1}
  "input" is "number" for a number (decimal comma, unit named in the question), "line" for a word or two (list every usual spelling), "text" for a long answer that a teacher grades ("accepted":[]). "share" is the part of the points from 0 to 1.`,
  unclear: { accepted: UNCLEAR.accepted },
  read: () =>
    v.pipe(
      Written,
      v.transform((written) => ({
        input: written.input,
        tolerance: written.input === 'text' ? 0 : written.tolerance,
        accepted: readAccepted(written.accepted),
      })),
    ),
  write: (question) => ({
    input: question.input,
    tolerance: question.tolerance,
    accepted: writeAccepted(question.accepted),
  }),
};
