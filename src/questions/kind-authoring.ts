import type { Question, StudentQuestion } from '#contract/questions.ts';
import type { Kind } from '#domain/kinds/rules.ts';
import type { KindAuthoring } from './authoring.ts';
import { complianceAuthoring } from './compliance/authoring.tsx';
import { fileAuthoring } from './file/authoring.tsx';
import { gapsAuthoring } from './gaps/authoring.tsx';
import { openAuthoring } from './open/authoring.tsx';
import { orderingAuthoring } from './ordering/authoring.tsx';
import { variantAuthoring } from './variant/authoring.tsx';

const AUTHORING: { readonly [K in Kind]: KindAuthoring<K> } = {
  open: openAuthoring,
  variant: variantAuthoring,
  compliance: complianceAuthoring,
  ordering: orderingAuthoring,
  gaps: gapsAuthoring,
  file: fileAuthoring,
};

/** The teacher's view of a question of this kind in the editor. */
export const kindAuthoring = <K extends Kind>({ kind }: { readonly kind: K }): KindAuthoring<K> =>
  AUTHORING[kind];

/** The question after a change of its text, with the resulting changes. */
export const withText = (question: Question, text: string): Question =>
  kindAuthoring(question).withText?.(question, text) ?? { ...question, text };

/** Whether the student's view contains something to answer with. */
export const hasParts = (question: StudentQuestion): boolean =>
  kindAuthoring(question).hasParts?.(question) ?? true;

/** The question with placeholders for empty texts of its parts. */
export const withPlaceholders = (question: StudentQuestion): StudentQuestion =>
  kindAuthoring(question).withPlaceholders?.(question) ?? question;
