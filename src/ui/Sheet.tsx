import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';
import classes from './Sheet.module.css';
import { useModalDialog } from './use-modal-dialog.ts';

export interface SheetProps {
  opened: boolean;
  /** Called for the cross, Escape, «back» and a tap beside the sheet. */
  onClose: () => void;
  /** A question, or the name of what is shown. */
  title: ReactNode;
  /** 440 px or 685 px on wide screens. */
  size?: 'md' | 'lg';
  /** Buttons that stay at the bottom while the content scrolls. */
  footer?: ReactNode;
  children?: ReactNode;
}

/** A dialog: a sheet from below up to 640 px, centred above. Mark the safe button `data-autofocus`. */
export function Sheet({ opened, onClose, title, size = 'md', footer, children }: SheetProps) {
  const titleId = useId();
  const { ref, dismiss, onKeyDown } = useModalDialog(opened, onClose);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a tap beside the sheet; Escape does the same
    <dialog
      ref={ref}
      className={cx(classes.dialog, size === 'lg' && classes.large)}
      aria-labelledby={titleId}
      aria-modal="true"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onClose={(event) => {
        if (opened && !event.currentTarget.open) onClose();
      }}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (event.target === event.currentTarget) dismiss();
      }}
    >
      {opened && (
        <div className={classes.content}>
          <div className={classes.head}>
            <h2 id={titleId}>{title}</h2>
            <ActionIcon aria-label="Закрыть" onClick={dismiss} className={classes.close}>
              <IconX size={20} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
          <div className={classes.body}>{children}</div>
          {footer && <div className={classes.foot}>{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
