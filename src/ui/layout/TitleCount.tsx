import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

/** How many things a page lists, beside its title: «42 теста». */
export function TitleCount({ children }: { children: ReactNode }) {
  return (
    <Box component="span" className="tabular nowrap" c="dimmed" fz="0.9375rem">
      {children}
    </Box>
  );
}
