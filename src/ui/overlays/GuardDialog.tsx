import { Box, Button, Stack } from '@mantine/core';
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
        <Box component="h2" id={titleId} flex={1} miw={0} py={4}>
          {title}
        </Box>
      </div>
      <div className={classes.body}>
        <p>{message}</p>
      </div>
      <Stack p="0.5rem var(--side) var(--below)" gap="xs">
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
