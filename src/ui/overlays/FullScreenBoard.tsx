import { ActionIcon, Stack, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { DialogWithEntry } from './Modal.tsx';

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
        pos="relative"
        align="center"
        justify="center"
        gap="min(4vh, 2rem)"
        mih="100%"
        px="md"
        pt="3.5rem"
        pb="lg"
        ta="center"
      >
        <ActionIcon
          pos="absolute"
          top={8}
          right={8}
          aria-label="Закрыть"
          data-autofocus
          onClick={onClose}
        >
          <Icon of={IconX} size={24} />
        </ActionIcon>
        <Title
          order={2}
          id={titleId}
          maw="100%"
          fz="clamp(1.5rem, 6vmin, 3.5rem)"
          className="break-anywhere"
        >
          {heading}
        </Title>
        {children}
      </Stack>
    </DialogWithEntry>
  );
}
