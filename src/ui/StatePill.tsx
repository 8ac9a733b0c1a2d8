import type { ReactNode } from 'react';
import type { IconType } from './icon-type.ts';
import classes from './StatePill.module.css';

export type Tone = 'ink' | 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

export interface StatePillProps {
  icon: IconType;
  tone: Tone;
  children: ReactNode;
}

/** A state as icon, word and colour. */
export function StatePill({ icon: Icon, tone, children }: StatePillProps) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <Icon size={16} stroke={2} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
