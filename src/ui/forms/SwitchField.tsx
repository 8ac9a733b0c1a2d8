import { Group, Text } from '@mantine/core';
import { useId, type FocusEventHandler, type Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
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

/** Yes or no; the whole row is its label. The system's own box, as in every list of boxes of the app. */
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
      <Group component="label" gap="sm" align="flex-start" wrap="nowrap" mih="2.75rem" py="xs">
        <input
          {...field}
          type="checkbox"
          checked={value}
          aria-labelledby={`${id}-label`}
          aria-describedby={notes || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
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
        </span>
      </Group>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
