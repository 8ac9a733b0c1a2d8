import { useEffect, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import classes from './PrintedPaper.module.css';

/** Printed instead of the page. Invisible on the screen. */
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
