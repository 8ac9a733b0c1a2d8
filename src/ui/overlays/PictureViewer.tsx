import { ActionIcon, Box } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { DialogWithEntry } from './Modal.tsx';

export interface PictureViewerProps {
  src: string;
  alt: string;
  onClose: () => void;
}

/** A picture over the whole screen. A tap shows it in full size; closing restores the focus. */
export function PictureViewer({ src, alt, onClose }: PictureViewerProps) {
  const [large, setLarge] = useState(false);
  return (
    <DialogWithEntry size="full" label={alt || 'Картинка'} onClose={onClose}>
      <ActionIcon
        aria-label="Закрыть"
        variant="default"
        pos="fixed"
        top="calc(0.5rem + env(safe-area-inset-top, 0px))"
        right="0.5rem"
        style={{ zIndex: 1 }}
        onClick={onClose}
      >
        <Icon of={IconX} />
      </ActionIcon>
      <Box
        component="button"
        type="button"
        display="flex"
        w="100%"
        h="100%"
        p={0}
        bg="#fff"
        style={{ overflow: 'auto', cursor: large ? 'zoom-out' : 'zoom-in' }}
        aria-label={large ? 'Уменьшить' : 'Увеличить'}
        onClick={() => setLarge(!large)}
      >
        <Box
          component="img"
          m="auto"
          maw={large ? 'none' : '100%'}
          mah={large ? 'none' : '100%'}
          src={src}
          alt={alt}
        />
      </Box>
    </DialogWithEntry>
  );
}
