import { complianceAnswers } from './compliance/answers.ts';
import { fileAnswers } from './file/answers.ts';
import { gapsAnswers } from './gaps/answers.ts';
import { openAnswers } from './open/answers.ts';
import { orderingAnswers } from './ordering/answers.ts';
import type { AnswerRules, Kind } from './rules.ts';
import { variantAnswers } from './variant/answers.ts';

const RULES: { readonly [K in Kind]: AnswerRules<K> } = {
  open: openAnswers,
  variant: variantAnswers,
  compliance: complianceAnswers,
  ordering: orderingAnswers,
  gaps: gapsAnswers,
  file: fileAnswers,
};

/** The rules of the answer's own kind. The question given to them must be of the same kind. */
export const answerRules = <K extends Kind>({ kind }: { readonly kind: K }): AnswerRules<K> =>
  RULES[kind];
