import { Button, Stack } from '@mantine/core';
import type { GroupMember } from '#contract/groups.ts';
import { formatCount, TO_STUDENTS } from '#domain/format.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { problemMessage } from './messages.ts';
import { useResetPasswords, type Reset } from './use-reset-passwords.ts';

export interface ResetPasswordModalProps {
  groupId: string;
  /** Members to reset the passwords of; empty: closed. */
  members: readonly GroupMember[];
  onClose: () => void;
  onReset: (reset: Reset) => void;
}

/** Confirms resetting passwords; without permission it shows who may do it. */
export function ResetPasswordModal({
  groupId,
  members,
  onClose,
  onReset,
}: ResetPasswordModalProps) {
  const reset = useResetPasswords(groupId, onReset);
  const [first] = members;
  const whom = members.length === 1 ? first?.userName : formatCount(members.length, TO_STUDENTS);
  const isForeign = first !== undefined && !first.mayResetPassword;
  const close = () => {
    reset.reset();
    onClose();
  };
  return (
    <>
      <Modal
        opened={isForeign}
        onClose={close}
        title="Пароль сбросит администратор"
        footer={
          <Button data-autofocus onClick={close}>
            Понятно
          </Button>
        }
      >
        <p>
          {first?.userName}: учётную запись заводили не в этом классе. Так никто не получит доступ к
          чужой учётной записи, просто добавив её к себе. Если убрать ученика из класса и он вступит
          сам по коду, вы сможете сбрасывать его пароль.
        </p>
      </Modal>
      <ConfirmModal
        opened={members.length > 0 && !isForeign}
        title={members.length === 1 ? `Сбросить пароль: ${whom}?` : `Сбросить пароли ${whom}?`}
        confirm={
          reset.isPending && members.length > 1
            ? `Сбрасываем: ${reset.done} из ${members.length}`
            : 'Сбросить'
        }
        cancel="Оставить"
        isBusy={reset.isPending && members.length === 1}
        problem={problemMessage(reset.error)}
        onConfirm={() => {
          if (!reset.isPending) reset.mutate(members);
        }}
        onClose={close}
      >
        <Stack gap="sm">
          <p>
            Прежний пароль перестанет действовать, и на всех устройствах придётся войти заново.
            Неотправленные ответы на них не пропадут: они уйдут после входа.
          </p>
          <p>Новый пароль будет показан один раз, на карточке для печати.</p>
        </Stack>
      </ConfirmModal>
    </>
  );
}
