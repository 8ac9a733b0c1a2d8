import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

/** The name of a key, as a small frame. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <Box
      component="kbd"
      display="inline-block"
      miw="1.375rem"
      px="0.375rem"
      bd="1px solid var(--app-control)"
      bdrs="xs"
      bg="var(--app-surface)"
      c="dimmed"
      ff="inherit"
      fz="0.8125rem"
      lh="1.25rem"
      ta="center"
    >
      {children}
    </Box>
  );
}
