import { Text, VisuallyHidden } from '@mantine/core';
import type { TextLimit } from './use-text-limit.ts';

/** Under a field: the room left, or what did not fit. */
export const LimitNote = ({ limit: { shown, spoken } }: { limit: TextLimit }) => (
  <>
    {shown !== '' && (
      <Text span display="block" aria-hidden mt={6} size="sm" c="dimmed" className="tabular">
        {shown}
      </Text>
    )}
    <VisuallyHidden component="output">{spoken}</VisuallyHidden>
  </>
);
