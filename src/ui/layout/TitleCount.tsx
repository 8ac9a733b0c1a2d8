import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

/** The number of things on a page, beside its title: «42 теста». */
export function TitleCount({ children }: { children: ReactNode }) {
  return (
    <Box component="span" className="tabular nowrap" c="dimmed" fz="0.9375rem">
      {children}
    </Box>
  );
}
