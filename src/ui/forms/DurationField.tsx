import { Group, Input } from '@mantine/core';
import { useId, type FocusEventHandler, type Ref } from 'react';
import { FieldGroup, type FieldGroupProps } from './FieldGroup.tsx';
import { LimitNote } from './LimitNote.tsx';
import { useTextLimit } from './use-text-limit.ts';

const DIGITS = 4;

/** Hours and minutes as typed. */
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

interface PartProps {
  onBlur: FocusEventHandler<HTMLInputElement> | undefined;
  error: string | undefined;
  name?: string;
  ref?: Ref<HTMLInputElement> | undefined;
  unit: string;
  value: string;
  onChange: (value: string) => void;
}

/** A number of hours or minutes. */
function Part({ unit, value, onChange, ...field }: PartProps) {
  const id = useId();
  const typing = useTextLimit(value, DIGITS, onChange);
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <Input
          {...field}
          w="5.5rem"
          id={id}
          inputMode="numeric"
          autoComplete="off"
          {...typing.field}
        />
        <label htmlFor={id}>{unit}</label>
      </Group>
      <LimitNote limit={typing.limit} />
    </div>
  );
}

/** A duration, in hours and minutes. */
export function DurationField({
  name,
  value,
  onChange,
  onBlur,
  ref,
  ...group
}: DurationFieldProps) {
  const shared = { error: group.error, onBlur };
  return (
    <FieldGroup {...group}>
      <Group gap="0.5rem 1rem" align="stretch">
        <Part
          {...shared}
          name={name}
          ref={ref}
          unit="ч"
          value={value.hours}
          onChange={(hours) => onChange({ ...value, hours })}
        />
        <Part
          {...shared}
          unit="мин"
          value={value.minutes}
          onChange={(minutes) => onChange({ ...value, minutes })}
        />
      </Group>
    </FieldGroup>
  );
}
