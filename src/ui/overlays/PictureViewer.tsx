import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { DialogWithEntry } from './Modal.tsx';
import classes from './PictureViewer.module.css';

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
      <button
        type="button"
        className={cx(classes.stage, large && classes.large)}
        aria-label={large ? 'Уменьшить' : 'Увеличить'}
        onClick={() => setLarge(!large)}
      >
        <img src={src} alt={alt} />
      </button>
    </DialogWithEntry>
  );
}
