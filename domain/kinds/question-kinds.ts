import { complianceQuestions } from './compliance/questions.ts';
import { fileQuestions } from './file/questions.ts';
import { gapsQuestions } from './gaps/questions.ts';
import { openQuestions } from './open/questions.ts';
import { orderingQuestions } from './ordering/questions.ts';
import type { Kind, QuestionRules } from './rules.ts';
import { variantQuestions } from './variant/questions.ts';

const RULES: { readonly [K in Kind]: QuestionRules<K> } = {
  open: openQuestions,
  variant: variantQuestions,
  compliance: complianceQuestions,
  ordering: orderingQuestions,
  gaps: gapsQuestions,
  file: fileQuestions,
};

/** The rules of the question's own kind. The answer given to them must be of the same kind. */
export const questionRules = <K extends Kind>({ kind }: { readonly kind: K }): QuestionRules<K> =>
  RULES[kind];
