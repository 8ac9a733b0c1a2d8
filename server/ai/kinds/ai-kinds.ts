import type { Kind } from '#domain/kinds/rules.ts';
import { aiCompliance } from './compliance.ts';
import { aiFile } from './file.ts';
import { aiGaps } from './gaps.ts';
import { aiOpen } from './open.ts';
import { aiOrdering } from './ordering.ts';
import type { AiRules } from './rules.ts';
import { aiVariant } from './variant.ts';

/** The kinds that a provider can write. */
export const AI_RULES = {
  open: aiOpen,
  variant: aiVariant,
  compliance: aiCompliance,
  ordering: aiOrdering,
  gaps: aiGaps,
  file: aiFile,
} satisfies { readonly [K in Kind]?: AiRules<K> };

const RULES: { readonly [K in Kind]?: AiRules<K> } = AI_RULES;

export const aiRules = <K extends Kind>({ kind }: { readonly kind: K }): AiRules<K> | undefined =>
  RULES[kind];

export const isAiKind = (kind: unknown): kind is keyof typeof AI_RULES =>
  typeof kind === 'string' && Object.hasOwn(AI_RULES, kind);
