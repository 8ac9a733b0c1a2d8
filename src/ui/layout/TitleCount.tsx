import type { ReactNode } from 'react';
import classes from './TitleCount.module.css';

/** How many things a page lists, beside its title: «42 теста». */
export function TitleCount({ children }: { children: ReactNode }) {
  return <span className={classes.count}>{children}</span>;
}
