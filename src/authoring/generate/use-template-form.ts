import { useDeferredValue, useMemo, useState, type RefObject } from 'react';
import type { TemplateBody } from '#contract/templates.ts';
import { useLatest } from '#app/authoring/editor/use-latest.ts';
import { readTemplate, type TemplateForm } from './template-form.ts';

export interface TemplateEditing {
  readonly form: TemplateForm;
  readonly isDirty: boolean;
  /** The server has this form. False: something else was typed since. */
  readonly settle: (sent: TemplateForm) => boolean;
  /** Null while something is wrong; a moment behind the typing. */
  readonly body: TemplateBody | null;
  /** Every problem there is, also at fields that nobody has left yet. */
  readonly problems: ReadonlyMap<string, string>;
  /** The words at a field, once it was left or the form was sent; empty: none. */
  readonly errorOf: (field: string) => string;
  readonly set: (part: Partial<TemplateForm>) => void;
  readonly leave: (field: string) => void;
  /** What can be sent now; null: the first wrong field has the focus. */
  readonly finish: () => TemplateBody | null;
}

/**
 * A template as it is typed, with its mistakes where they can be mended.
 * @param isTyped it starts with what was typed before and is not stored
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
