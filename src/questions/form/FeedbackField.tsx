import { Box, Text } from '@mantine/core';
import { LineField } from './LineField.tsx';
import { useRichText } from './use-rich-text.tsx';

export interface FeedbackFieldProps {
  /** «Отзыв на вариант 2». */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Feedback of one answer, shown once correct answers may be seen. */
export function FeedbackField({ label, value, onChange }: FeedbackFieldProps) {
  const rich = useRichText({ multiline: false });
  return (
    <Box pt={4} pb="xs" style={{ gridArea: 'feedback' }}>
      <Text aria-hidden size="sm" c="dimmed">
        {label}
      </Text>
      <LineField label={label} value={value} onChange={onChange} rich={rich} />
    </Box>
  );
}
