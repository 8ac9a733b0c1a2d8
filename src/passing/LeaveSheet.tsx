import { Button } from '@mantine/core';
import { formatClock } from '#domain/format-time.ts';
import { ANSWERS, formatCount } from '#domain/format.ts';
import { useDevice } from '#app/offline/device-context.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './passing.module.css';

export interface LeaveSheetProps {
  view: AttemptView;
  opened: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before «back» leaves a running attempt: nothing is lost, but the time goes on. */
export function LeaveSheet({ view, opened, onStay, onLeave }: LeaveSheetProps) {
  const { timeZone } = useDevice();
  const { unsaved } = view.counts;
  return (
    <Sheet
      opened={opened}
      onClose={onStay}
      title="Выйти из теста?"
      footer={
        <div className={classes.buttons}>
          <Button data-autofocus onClick={onStay}>
            Остаться
          </Button>
          <Button variant="default" onClick={onLeave}>
            Выйти
          </Button>
        </div>
      }
    >
      {unsaved === 0 ? (
        <p>Время идёт дальше, ответы сохранены.</p>
      ) : (
        <p>
          Время идёт дальше. На устройство не удалось записать {formatCount(unsaved, ANSWERS)}:
          дождитесь, пока они уйдут на сервер.
        </p>
      )}
      <p className={classes.dimmed}>
        Вернуться к вопросам можно до {formatClock(view.deadline, timeZone)}.
      </p>
    </Sheet>
  );
}
