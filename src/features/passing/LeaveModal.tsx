import { Text } from '@mantine/core';
import { formatClock } from '#domain/format-time.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { useShownZone } from '#app/lib/device-services.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';
import { readingMessage } from './messages.ts';

export interface LeaveModalProps {
  view: AttemptView;
  picks: readonly FilePick[];
  opened: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Confirms leaving a running attempt by «back»: no answers are lost, but the time runs on. */
export function LeaveModal({ view, picks, opened, onStay, onLeave }: LeaveModalProps) {
  const timeZone = useShownZone();
  const { unsaved } = view.counts;
  const reading = readingMessage(picks, view);
  return (
    <ConfirmModal
      opened={opened}
      onClose={onStay}
      title="Выйти из теста?"
      confirm="Выйти"
      cancel="Остаться"
      onConfirm={onLeave}
    >
      {unsaved === 0 ? (
        <p>{reading === '' ? 'Время идёт дальше, ответы сохранены.' : 'Время идёт дальше.'}</p>
      ) : (
        <p>
          Время идёт дальше. На устройство не удалось записать {formatCount(unsaved, ANSWERS)}:
          дождитесь, пока они уйдут на сервер.
        </p>
      )}
      {reading !== '' && (
        <p>{`${reading} Не закрывайте приложение, пока он не сохранится на устройстве.`}</p>
      )}
      <Text inherit c="dimmed">
        Вернуться к вопросам можно до {formatClock(view.deadline, timeZone)}.
      </Text>
    </ConfirmModal>
  );
}
