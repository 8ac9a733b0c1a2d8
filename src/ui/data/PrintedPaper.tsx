import { useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import classes from './PrintedPaper.module.css';

/** What is printed instead of the page; on the screen nothing of this is seen. */
export function PrintedPaper({ children }: { children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset['print'] = 'paper';
    return () => {
      delete document.documentElement.dataset['print'];
    };
  }, []);
  return createPortal(
    <div className={classes.paper} lang="ru">
      {children}
    </div>,
    document.body,
  );
}
