import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { showJoinCode } from '#domain/join-codes.ts';
import { QrCode } from '#app/ui/QrCode.tsx';
import { siteName } from '#app/ui/site.ts';
import { useModalDialog } from '#app/ui/use-modal-dialog.ts';
import classes from './JoinCodeBoard.module.css';

export interface JoinCodeBoardProps {
  opened: boolean;
  onClose: () => void;
  name: string;
  code: string;
  address: string;
}

/** The code over the whole window, to be read from the last desk off a projector. */
export function JoinCodeBoard({ opened, onClose, name, code, address }: JoinCodeBoardProps) {
  const titleId = useId();
  const { ref, dismiss, onKeyDown } = useModalDialog(opened, onClose);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps the focus inside, as every dialog does
    <dialog
      ref={ref}
      className={classes.board}
      aria-labelledby={titleId}
      aria-modal="true"
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      onKeyDown={onKeyDown}
    >
      {opened && (
        <div className={classes.content}>
          <ActionIcon
            aria-label="Закрыть"
            className={classes.close}
            data-autofocus
            onClick={dismiss}
          >
            <IconX size={24} stroke={1.75} aria-hidden />
          </ActionIcon>
          <h2 id={titleId} className={classes.title}>
            Вступите в класс {name}
          </h2>
          <QrCode className={classes.qr} text={address} label={`QR-код ссылки ${address}`} />
          <div className={classes.words}>
            <p>
              Наведите камеру телефона или откройте <b>{siteName()}/join</b> и введите код
            </p>
            <p className={classes.code}>{showJoinCode(code)}</p>
          </div>
        </div>
      )}
    </dialog>
  );
}
