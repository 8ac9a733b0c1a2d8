import { TextInput, type TextInputProps } from '@mantine/core';

export interface DateTimeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `YYYY-MM-DDTHH:mm`, or empty. */
  value: string;
  onChange: (value: string) => void;
}

const WIDTH = { wrapper: { maxWidth: '16rem' } };

/** A day and a time of day, with the system's own picker. The description names the time zone. */
export function DateTimeField({ onChange, ...input }: DateTimeFieldProps) {
  return (
    <TextInput
      {...input}
      type="datetime-local"
      max="2099-12-31T23:59"
      styles={WIDTH}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
