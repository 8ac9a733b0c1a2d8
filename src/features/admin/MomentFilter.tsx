import { useState } from 'react';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { isWallTime } from './audit-search.ts';

export interface MomentFilterProps {
  label: string;
  name: string;
  /** Value from the URL; empty: none. */
  value: string;
  error?: string;
  onChange: (value: string) => void;
}

/** A date-time filter. A partly typed year stays in the field and out of the URL. */
export function MomentFilter({ value, onChange, ...field }: MomentFilterProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <DateTimeField
      {...field}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        if (next === '' || isWallTime(next)) onChange(next);
      }}
      onBlur={() => setTyped(value)}
    />
  );
}
