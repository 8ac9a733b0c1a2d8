import { Button, Stack } from '@mantine/core';
import { useId } from 'react';
import { Dialog } from './Modal.tsx';
import classes from './Modal.module.css';

export interface GuardDialogProps {
  title: string;
  message: string;
  stay: string;
  leave: string;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before a person leaves a page with unsaved work. Mounted while it is open. */
export function GuardDialog({ title, message, stay, leave, onStay, onLeave }: GuardDialogProps) {
  const titleId = useId();
  return (
    <Dialog labelledBy={titleId} onClose={onStay}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
      </div>
      <div className={classes.body}>
        <p>{message}</p>
      </div>
      <Stack className={classes.foot} gap="xs">
        <Button data-autofocus onClick={onStay}>
          {stay}
        </Button>
        <Button variant="default" onClick={onLeave}>
          {leave}
        </Button>
      </Stack>
    </Dialog>
  );
}
