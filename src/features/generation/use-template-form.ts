import { useDeferredValue, useMemo, useState, type RefObject } from 'react';
import type { TemplateBody } from '#contract/templates.ts';
import { useLatest } from '#app/lib/use-latest.ts';
import { readTemplate, type TemplateForm } from './template-form.ts';

export interface TemplateEditing {
  readonly form: TemplateForm;
  readonly isDirty: boolean;
  /** Marks this form as saved. False: it was edited since. */
  readonly settle: (sent: TemplateForm) => boolean;
  /** Null while there are errors; debounced. */
  readonly body: TemplateBody | null;
  /** All errors, including those of untouched fields. */
  readonly problems: ReadonlyMap<string, string>;
  /** Error message of a field after blur or submit; empty: none. */
  readonly errorOf: (field: string) => string;
  readonly set: (part: Partial<TemplateForm>) => void;
  readonly leave: (field: string) => void;
  /** The valid template; null: the first invalid field was focused. */
  readonly finish: () => TemplateBody | null;
}

/**
 * Form of a template with errors by field.
 * @param isTyped it starts with unsaved input
 */
export function useTemplateForm(
  start: TemplateForm,
  isTyped: boolean,
  container: RefObject<HTMLElement | null>,
): TemplateEditing {
  const [form, setForm] = useState(start);
  const [stored, setStored] = useState(isTyped ? null : start);
  const latest = useLatest(form);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isSent, setSent] = useState(false);
  const settled = useDeferredValue(form);
  const { body, problems } = useMemo(() => readTemplate(settled), [settled]);
  return {
    form,
    isDirty: form !== stored,
    settle(sent) {
      setStored(sent);
      return latest.current === sent;
    },
    body,
    problems,
    errorOf: (field) => (isSent || left.has(field) ? (problems.get(field) ?? '') : ''),
    set: (part) => setForm((now) => ({ ...now, ...part })),
    leave: (field) => setLeft((now) => new Set([...now, field])),
    finish() {
      const read = readTemplate(form);
      if (read.body) return read.body;
      setSent(true);
      const places = container.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [];
      const wrong = [...places].find((place) => read.problems.has(place.dataset['field'] ?? ''));
      wrong?.querySelector<HTMLElement>('input, textarea, select')?.focus();
      return null;
    },
  };
}
