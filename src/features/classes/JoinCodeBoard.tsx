import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { showJoinCode } from '#domain/join-codes.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { DialogWithEntry } from '#app/ui/overlays/Modal.tsx';
import { QrCode } from '#app/ui/data/QrCode.tsx';
import { siteName } from '#app/ui/site.ts';
import classes from './JoinCodeBoard.module.css';

export interface JoinCodeBoardProps {
  opened: boolean;
  onClose: () => void;
  name: string;
  code: string;
  address: string;
}

/** The join code in full screen, for a projector. */
export function JoinCodeBoard({ opened, onClose, name, code, address }: JoinCodeBoardProps) {
  const titleId = useId();
  if (!opened) return null;
  return (
    <DialogWithEntry size="full" labelledBy={titleId} onClose={onClose}>
      <div className={classes.content}>
        <ActionIcon aria-label="Закрыть" className={classes.close} data-autofocus onClick={onClose}>
          <Icon of={IconX} size={24} />
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
    </DialogWithEntry>
  );
}
