import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import classes from './PictureViewer.module.css';
import { useModalDialog } from './use-modal-dialog.ts';

export interface PictureViewerProps {
  src: string;
  alt: string;
  onClose: () => void;
}

/** A picture over the whole screen; a tap makes it as large as it is, closing gives the focus back. */
export function PictureViewer({ src, alt, onClose }: PictureViewerProps) {
  const { ref, dismiss, onKeyDown } = useModalDialog(true, onClose);
  const [large, setLarge] = useState(false);
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps Tab inside the dialog
    <dialog
      ref={ref}
      className={classes.viewer}
      aria-label={alt || 'Картинка'}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onKeyDown={onKeyDown}
    >
      <ActionIcon
        aria-label="Закрыть"
        variant="default"
        className={classes.close}
        onClick={dismiss}
      >
        <IconX size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <button
        type="button"
        className={cx(classes.stage, large && classes.large)}
        aria-label={large ? 'Уменьшить' : 'Увеличить'}
        onClick={() => setLarge(!large)}
      >
        <img src={src} alt={alt} />
      </button>
    </dialog>,
    document.body,
  );
}
