import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './StatePill.module.css';

export type Tone = 'ink' | 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

/** How a state is shown beside its word. */
export interface Sign {
  icon: IconType;
  tone: Tone;
}

export interface StatePillProps extends Sign {
  children: ReactNode;
}

/** A state as icon, word and colour. */
export function StatePill({ icon, tone, children }: StatePillProps) {
  return (
    <Box
      component="span"
      className={classes.pill}
      bg={`var(--app-${tone}-soft)`}
      c={`var(--app-${tone}-text)`}
      data-tone={tone}
    >
      <Icon of={icon} size={16} />
      <span>{children}</span>
    </Box>
  );
}
