import type { useAppForm } from '#app/lib/use-app-form.ts';
import type { TemplateForm } from './template-form.ts';

/** What a part of the template's form gets: the form, and what is typed in it now. */
export interface TemplateFields {
  readonly of: ReturnType<typeof useAppForm<TemplateForm, unknown>>;
  readonly typed: TemplateForm;
}

export const EXPRESSION = { type: 'text', autoComplete: 'off' } as const;
/** Also with a minus, which iOS does not have on its keyboard for decimals. */
export const NUMBER = { ...EXPRESSION, spellCheck: false } as const;
