import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';

/** A part of questions or templates that apps before a wire version neither show nor save. */
export interface AddedContent {
  /** The first wire version with apps that support it. */
  readonly since: number;
  readonly isInQuestion?: (question: Question) => boolean;
  readonly isInTemplate?: (template: TemplateBody) => boolean;
}

/** Apps of wire version 1 know everything that release 1.0.0 stores. */
export const ADDED_CONTENT: readonly AddedContent[] = [];

const unknownTo = (added: readonly AddedContent[], wireVersion: number): AddedContent[] =>
  added.filter(({ since }) => wireVersion < since);

/** Whether an app of this version supports all content, so that no question needs to be checked. */
export const knowsAllContent = (added: readonly AddedContent[], wireVersion: number): boolean =>
  unknownTo(added, wireVersion).length === 0;

/** Whether an app of this version would lose a part of some question. */
export const needNewerApp = (
  added: readonly AddedContent[],
  questions: readonly Question[],
  wireVersion: number,
): boolean =>
  unknownTo(added, wireVersion).some(({ isInQuestion }) =>
    questions.some((question) => isInQuestion?.(question)),
  );

/** Whether an app of this version would lose a part of a template. */
export const templateNeedsNewerApp = (
  added: readonly AddedContent[],
  template: TemplateBody,
  wireVersion: number,
): boolean => unknownTo(added, wireVersion).some(({ isInTemplate }) => isInTemplate?.(template));
