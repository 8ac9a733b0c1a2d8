import { Button } from '@mantine/core';
import { formatElapsed, formatShortMoment } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Overview.module.css';
import type { Start } from './use-start.ts';

/** Asks before a test that runs on another device goes on here. */
export function TakeOverSheet({ start }: { start: Start }) {
  const { serverNow, timeZone } = useDevice();
  const { elsewhere } = start;
  const heardAt = elsewhere?.lastHeardAt ? Date.parse(elsewhere.lastHeardAt) : null;
  const now = serverNow();
  return (
    <Sheet
      opened={elsewhere !== null}
      onClose={start.stay}
      title="Продолжить на этом устройстве?"
      footer={
        <>
          <Button
            loading={start.isStarting}
            onClick={() => elsewhere && start.start(elsewhere.attemptId)}
          >
            Продолжить здесь
          </Button>
          <Button variant="default" onClick={start.stay}>
            Не продолжать
          </Button>
        </>
      }
    >
      <div className={classes.panel}>
        <p>
          Тест уже идёт на другом устройстве.{' '}
          {heardAt === null
            ? 'Сервер его ещё не слышал.'
            : `Оно было на связи в ${formatShortMoment(heardAt, now, timeZone)}, ${formatElapsed(now - heardAt)} назад.`}
        </p>
        <p>
          Ответы, которые дошли до сервера, будут и здесь. На том устройстве тест закроется для
          правки, как только оно выйдет на связь.
        </p>
        <p>
          Если там остались неотправленные ответы, они пока только на нём. Они дойдут, когда оно
          выйдет на связь, и займут вопросы, на которые здесь ответа нет. Что дойдёт сильно позже
          срока, увидит преподаватель и решит.
        </p>
      </div>
    </Sheet>
  );
}
