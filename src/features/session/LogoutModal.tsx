import { Stack } from '@mantine/core';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { SaveAnswersButton } from '#app/lib/SaveAnswersButton.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';

export interface LogoutModalProps {
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
  /** Number of the person's answers and finishes that wait on the device; null: unknown. */
  waiting: number | null;
  /** Number of those that are in memory only: a closed page loses them. */
  unsaved: number;
  onSave: () => Promise<void>;
  /** Title of the person's test running on this device. */
  running: string | null;
}

/** Confirms signing out with unsent answers or a running test. */
export function LogoutModal({
  opened,
  onClose,
  onLogout,
  waiting,
  unsaved,
  running,
  onSave,
}: LogoutModalProps) {
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
        {unsaved > 0 && (
          <div>
            <p>
              {formatCount(unsaved, ANSWERS)} ещё не на сервере и не на устройстве:{' '}
              {plural(unsaved, ['он есть', 'они есть', 'они есть'])} только на этой странице и{' '}
              {plural(unsaved, ['пропадёт', 'пропадут', 'пропадут'])} вместе с ней. Сохраните ответы
              в файл и отдайте его преподавателю.
            </p>
            <SaveAnswersButton onSave={onSave} />
          </div>
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
