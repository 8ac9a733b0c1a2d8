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
    <details open={unfolded} className={classes.passage}>
      <summary className={classes.summary}>
        <Icon of={IconChevronDown} />
        Общий текст
      </summary>
      <div className={classes.text}>{children}</div>
    </details>
  );
}
