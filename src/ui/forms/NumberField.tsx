import { TextInput, type TextInputProps } from '@mantine/core';

export interface NumberFieldProps extends Omit<TextInputProps, 'value'> {
  /** As typed: an unfinished number stays unchanged. */
  value: string;
}

const SHORT = { wrapper: { maxWidth: '10rem' } };

/** A whole number, typed with digits. Unlike in Mantine's `NumberInput`, no wheel or arrow changes it by accident. */
export function NumberField(props: NumberFieldProps) {
  return <TextInput {...props} inputMode="numeric" autoComplete="off" styles={SHORT} />;
}
