import type { ReactNode } from 'react';
import { cx } from '#app/ui/cx.ts';
import classes from './EmptyState.module.css';

export interface EmptyStateProps {
  heading: string;
  /** One sentence. */
  children: ReactNode;
  action?: ReactNode;
}

/** Nothing is here yet, on squared paper: one heading, one sentence, one action. */
export function EmptyState({ heading, children, action }: EmptyStateProps) {
  return (
    <section className={classes.card}>
      <div className={cx('squared', classes.paper)}>
        <h2 className={classes.heading}>{heading}</h2>
      </div>
      <div className={classes.words}>
        <p>{children}</p>
        {action}
      </div>
    </section>
  );
}
