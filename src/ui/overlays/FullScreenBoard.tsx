import { ActionIcon, Stack, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { DialogWithEntry } from './Modal.tsx';
import classes from './FullScreenBoard.module.css';

export interface FullScreenBoardProps {
  heading: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog in full screen, for a projector: its heading and one thing to read from afar. */
export function FullScreenBoard({ heading, onClose, children }: FullScreenBoardProps) {
  const titleId = useId();
  return (
    <DialogWithEntry size="full" labelledBy={titleId} onClose={onClose}>
      <Stack
        align="center"
        justify="center"
        gap="min(4vh, 2rem)"
        // Grows with its content: a smaller one would hide its upper part where nothing scrolls to.
        flex="1 0 auto"
        px="md"
        pt="3.5rem"
        pb="lg"
        ta="center"
      >
        <ActionIcon
          pos="fixed"
          top={8}
          right={16}
          style={{ zIndex: 2 }}
          aria-label="Закрыть"
          data-autofocus
          onClick={onClose}
        >
          <Icon of={IconX} size={24} />
        </ActionIcon>
        <Title
          order={2}
          id={titleId}
          fz="clamp(1.5rem, 6vmin, 3.5rem)"
          className={cx('break-anywhere', classes.heading)}
        >
          {heading}
        </Title>
        {children}
      </Stack>
    </DialogWithEntry>
  );
}
