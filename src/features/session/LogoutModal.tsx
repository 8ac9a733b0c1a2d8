import { Stack } from '@mantine/core';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';

export interface LogoutModalProps {
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
  /** Number of the person's unsent answers and finishes; null: unknown. */
  waiting: number | null;
  /** Title of the person's test running on this device. */
  running: string | null;
}

/** Confirms signing out with unsent answers or a running test. */
export function LogoutModal({ opened, onClose, onLogout, waiting, running }: LogoutModalProps) {
  return (
    <ConfirmModal
      opened={opened}
      onClose={onClose}
      title="Выйти из учётной записи?"
      confirm="Выйти"
      cancel="Остаться"
      onConfirm={onLogout}
    >
      <Stack>
        {waiting === null && (
          <p>
            Память устройства сейчас не отвечает. В ней могут быть ответы, которых ещё нет на
            сервере: подождите минуту и проверьте снова.
          </p>
        )}
        {waiting !== null && waiting > 0 && (
          <p>
            {formatCount(waiting, ANSWERS)} ещё не на сервере.{' '}
            {plural(waiting, ['Он останется', 'Они останутся', 'Они останутся'])} на этом устройстве
            и {plural(waiting, ['уйдёт', 'уйдут', 'уйдут'])}, когда вы снова войдёте здесь.
          </p>
        )}
        {running !== null && (
          <p>
            Идёт тест «{running}». Время идёт и после выхода; чтобы отвечать дальше, войдите снова.
          </p>
        )}
      </Stack>
    </ConfirmModal>
  );
}
