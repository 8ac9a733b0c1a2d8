import type { useAppForm } from '#app/lib/use-app-form.ts';
import type { TemplateForm } from './template-form.ts';

/** Props of a part of the template's form: the form, and its typed values. */
export interface TemplateFields {
  readonly of: ReturnType<typeof useAppForm<TemplateForm, unknown>>;
  readonly typed: TemplateForm;
}

export const EXPRESSION = { type: 'text', autoComplete: 'off' } as const;
/** Also allows a minus, which the decimal keyboard of iOS lacks. */
export const NUMBER = { ...EXPRESSION, spellCheck: false } as const;
