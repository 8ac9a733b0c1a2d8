import { useState } from 'react';
import { DateTimeField } from '#app/ui/DateTimeField.tsx';
import { isWallTime } from './audit-search.ts';

export interface MomentFilterProps {
  label: string;
  name: string;
  /** What the URL says; empty: nothing. */
  value: string;
  error?: string;
  onChange: (value: string) => void;
}

/** A moment to filter by. A year that is still being typed stays in the field, and out of the URL. */
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
