import { Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import classes from './Sheet.module.css';

export interface GuardDialogProps {
  title: string;
  words: string;
  stay: string;
  leave: string;
  onStay: () => void;
  onLeave: () => void;
}

/**
 * Asks before a page with unsaved work is left. It stands in the middle of a navigation, perhaps of
 * «back» itself, so unlike a `Sheet` it touches no history. Mounted while it is open.
 */
export function GuardDialog({ title, words, stay, leave, onStay, onLeave }: GuardDialogProps) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const returnTo = document.activeElement;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      dialog.close();
      // It is out of the page by now, and browsers give the focus back from what is in it alone.
      if (returnTo instanceof HTMLElement && returnTo.isConnected) returnTo.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className={classes.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
      // A second Escape in a row closes a dialog without asking.
      onClose={(event) => {
        if (!event.currentTarget.open) onStay();
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={id}>{title}</h2>
        </div>
        <div className={classes.body}>
          <p>{words}</p>
        </div>
        <div className={classes.foot}>
          <Button data-autofocus onClick={onStay}>
            {stay}
          </Button>
          <Button variant="default" onClick={onLeave}>
            {leave}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
