import { Box } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './Passage.module.css';

export interface PassageProps {
  /** Whether it is unfolded at first. */
  unfolded?: boolean;
  children: ReactNode;
}

/** A text that several questions share; it can be folded to make room for the question. */
export function Passage({ unfolded = true, children }: PassageProps) {
  return (
    <Box component="details" mb="md" className={classes.passage} open={unfolded}>
      <Box component="summary" px={14} fw={500}>
        <Icon of={IconChevronDown} className="chevron" />
        Общий текст
      </Box>
      <Box maw="68ch" px={14} pb={14} lh="lg" className="break-anywhere">
        {children}
      </Box>
    </Box>
  );
}
