import { Text } from '@mantine/core';
import { useId, type FocusEventHandler, type Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { FieldError } from './FieldError.tsx';

export interface SwitchFieldProps {
  label: string;
  description?: string | undefined;
  name?: string | undefined;
  value: boolean;
  onChange: (value: boolean) => void;
  onBlur?: FocusEventHandler<HTMLInputElement>;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** Yes or no; the whole row is its label.  */
export function SwitchField({
  label,
  description,
  value,
  onChange,
  error,
  ...field
}: SwitchFieldProps) {
  const id = useId();
  const notes = cx(description && `${id}-description`, error && `${id}-error`);
  return (
    <div>
      <ChoiceRow
        {...field}
        atTop
        py="xs"
        type="checkbox"
        checked={value}
        aria-labelledby={`${id}-label`}
        aria-describedby={notes || undefined}
        aria-invalid={error ? true : undefined}
        onChange={onChange}
      >
        <Text span id={`${id}-label`} fw={500}>
          {label}
        </Text>
        {description && (
          <Text
            span
            id={`${id}-description`}
            display="block"
            mt={2}
            size="sm"
            c="dimmed"
            textWrap="pretty"
          >
            {description}
          </Text>
        )}
      </ChoiceRow>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
