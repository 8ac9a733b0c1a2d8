import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import { needNewerApp, templateNeedsNewerApp } from '#domain/needed-version.ts';
import type { Deps } from './deps.ts';
import { Refusal } from './http/refusal.ts';

/**
 * Refuses an app that would neither show nor save a part of these questions.
 * @throws {Refusal} OLD_CLIENT
 */
export function refuseOlderApp(
  { addedContent }: Pick<Deps, 'addedContent'>,
  questions: readonly Question[],
  wireVersion: number,
): void {
  if (needNewerApp(addedContent, questions, wireVersion)) throw new Refusal('OLD_CLIENT');
}

/**
 * Refuses an app that would overwrite a template with the part of it that it knows.
 * @throws {Refusal} OLD_CLIENT
 */
export function refuseOlderTemplates(
  { addedContent }: Pick<Deps, 'addedContent'>,
  templates: readonly TemplateBody[],
  wireVersion: number,
): void {
  if (templates.some((body) => templateNeedsNewerApp(addedContent, body, wireVersion)))
    throw new Refusal('OLD_CLIENT');
}
