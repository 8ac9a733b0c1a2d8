import type { ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import { TextField } from '#app/ui/forms/TextField.tsx';
import type { TemplateEditing } from './use-template-form.ts';

/** Field name, for focusing; blur shows its error. */
export function FieldPlace({
  editing,
  field,
  className,
  children,
}: {
  editing: TemplateEditing;
  field: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div data-field={field} className={cx(className)} onBlur={() => editing.leave(field)}>
      {children}
    </div>
  );
}

/** One line of a template. */
export function TemplateLine({
  editing,
  field,
  label,
  description,
  value,
  isNumber = false,
  className,
  onChange,
}: {
  editing: TemplateEditing;
  field: string;
  label: string;
  description?: string;
  value: string;
  isNumber?: boolean;
  className?: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <FieldPlace editing={editing} field={field} className={className}>
      <TextField
        type="text"
        label={label}
        description={description}
        error={editing.errorOf(field)}
        value={value}
        autoComplete="off"
        spellCheck={!isNumber}
        inputMode={isNumber ? 'decimal' : 'text'}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldPlace>
  );
}
