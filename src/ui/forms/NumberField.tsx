import { TextInput, type TextInputProps } from '@mantine/core';

export interface NumberFieldProps extends Omit<TextInputProps, 'value'> {
  /** As it is typed: an unfinished number stays as it is. */
  value: string;
}

const SHORT = { wrapper: { maxWidth: '10rem' } };

/** A whole number, typed with digits; no wheel or arrows change it by accident, as in Mantine's `NumberInput`. */
export function NumberField(props: NumberFieldProps) {
  return <TextInput {...props} inputMode="numeric" autoComplete="off" styles={SHORT} />;
}
