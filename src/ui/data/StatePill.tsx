import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './StatePill.module.css';

export type Tone = 'ink' | 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

export interface StatePillProps {
  icon: IconType;
  tone: Tone;
  children: ReactNode;
}

/** A state as icon, word and colour. */
export function StatePill({ icon, tone, children }: StatePillProps) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <Icon of={icon} size={16} />
      <span>{children}</span>
    </span>
  );
}
