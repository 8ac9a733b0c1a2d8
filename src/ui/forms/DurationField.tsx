import { Group, Input } from '@mantine/core';
import { useId, type FocusEventHandler, type Ref } from 'react';
import { FieldGroup, type FieldGroupProps } from './FieldGroup.tsx';

/** Hours and minutes as they are typed. */
export interface HoursMinutes {
  hours: string;
  minutes: string;
}

export interface DurationFieldProps extends Omit<FieldGroupProps, 'children'> {
  name: string;
  value: HoursMinutes;
  onChange: (value: HoursMinutes) => void;
  onBlur?: FocusEventHandler<HTMLInputElement>;
  /** Of the hours. */
  ref?: Ref<HTMLInputElement>;
}

/** How long something takes, in hours and minutes. */
export function DurationField({
  name,
  value,
  onChange,
  onBlur,
  ref,
  ...group
}: DurationFieldProps) {
  const id = useId();
  const part = (key: keyof HoursMinutes, word: string) => (
    <Group gap="xs" wrap="nowrap">
      <Input
        w="5.5rem"
        id={`${id}-${key}`}
        {...(key === 'hours' && { name, ref })}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={value[key]}
        error={group.error}
        onChange={(event) => onChange({ ...value, [key]: event.currentTarget.value })}
        onBlur={onBlur}
      />
      <label htmlFor={`${id}-${key}`}>{word}</label>
    </Group>
  );
  return (
    <FieldGroup {...group}>
      <Group gap="0.5rem 1rem" align="stretch">
        {part('hours', 'ч')}
        {part('minutes', 'мин')}
      </Group>
    </FieldGroup>
  );
}
