import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Modal } from './Modal.tsx';

export interface ConfirmModalProps {
  opened: boolean;
  /** A question. */
  title: string;
  /** What will happen, and what is safe. */
  children: ReactNode;
  /** A verb: «Удалить». */
  confirm: string;
  /** A verb: «Оставить»; the filled button. */
  cancel: string;
  isBusy?: boolean;
  /** Message about the last failure; null: none. Absent: it cannot fail. */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an action that is hard to undo. The safe button is filled and focused. */
export function ConfirmModal({
  opened,
  title,
  children,
  confirm,
  cancel,
  isBusy = false,
  problem,
  onConfirm,
  onClose,
}: ConfirmModalProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      footer={
        <>
          {problem !== undefined && (
            <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
          )}
          <Button data-autofocus onClick={onClose}>
            {cancel}
          </Button>
          <Button variant="default" loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
}
