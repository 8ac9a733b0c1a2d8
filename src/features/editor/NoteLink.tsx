import { Box, Group, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button in the line of a note that looks like a link. */
export function NoteLink({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <UnstyledButton className="tap" px={4} c="var(--app-link)" fz="sm" fw={500} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}

/** The text of a note and its actions, aligned with its icon. */
export function NoteLine({ words, children }: { words: ReactNode; children: ReactNode }) {
  return (
    <Group gap="0 0.5rem" mih={44} my={-12}>
      <Box component="span" flex="1 1 6rem" py="sm">
        {words}
      </Box>
      {children}
    </Group>
  );
}
