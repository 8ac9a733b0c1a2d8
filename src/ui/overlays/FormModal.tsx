import { useState } from 'react';
import { GuardDialog } from './GuardDialog.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';
import { Modal, type ModalProps } from './Modal.tsx';

export interface FormModalProps extends ModalProps {
  /** Whether there is unsaved input. */
  isDirty: boolean;
  /** What would be lost: one sentence. */
  unsaved: string;
}

/** A modal with a form. Asks before unsaved input is lost, however a person closes or leaves it. */
export function FormModal({ isDirty, unsaved, ...modal }: FormModalProps) {
  const { opened, onClose } = modal;
  const [isAsking, setAsking] = useState(false);
  if (isAsking && !opened) setAsking(false);
  return (
    <>
      <Modal {...modal} onClose={() => (isDirty ? setAsking(true) : onClose())} />
      {opened && isAsking && (
        <GuardDialog
          title="Закрыть без сохранения?"
          message={unsaved}
          stay="Вернуться к форме"
          leave="Закрыть без сохранения"
          onStay={() => setAsking(false)}
          onLeave={() => {
            setAsking(false);
            onClose();
          }}
        />
      )}
      {opened && <LeaveGuard isDirty={isDirty} message={unsaved} />}
    </>
  );
}
