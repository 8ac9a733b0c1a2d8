import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button in the line of a note that looks like a link. */
export function NoteLink({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <UnstyledButton className="tap" px={4} c="var(--app-link)" fz="sm" fw={500} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}
