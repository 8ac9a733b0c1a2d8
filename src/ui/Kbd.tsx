import type { ReactNode } from 'react';
import classes from './Kbd.module.css';

/** The name of a key, as a small frame. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={classes.key}>{children}</kbd>;
}
