import { Box, Text, Textarea, type TextareaProps } from '@mantine/core';
import { TextField, type TextFieldProps } from '#app/ui/forms/TextField.tsx';

/** Characters at most. */
interface Counted {
  most: number;
}

function Counter({ value, most }: Counted & { value: TextFieldProps['value'] }) {
  const count = String(value).trim().length;
  return (
    <Text
      pos="absolute"
      top={0}
      right={0}
      fz="sm"
      lh="1.4rem"
      {...(count > most ? { c: 'var(--app-bad-text)', fw: 500 } : { c: 'dimmed' })}
      className="tabular"
      aria-hidden
    >
      {count} из {most}
    </Text>
  );
}

/** A line of text that counts its characters. */
export function CountedField({ most, ...input }: TextFieldProps & Counted) {
  return (
    <Box pos="relative">
      <TextField {...input} />
      <Counter value={input.value} most={most} />
    </Box>
  );
}

/** Several lines of text that count their characters. */
export function CountedArea({ most, ...input }: TextareaProps & Counted) {
  return (
    <Box pos="relative">
      <Textarea {...input} />
      <Counter value={input.value} most={most} />
    </Box>
  );
}
