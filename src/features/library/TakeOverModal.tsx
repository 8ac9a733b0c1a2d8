import { Button, Stack } from '@mantine/core';
import { formatAtMoment, formatElapsed } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import type { Start } from './use-start.ts';

/** Confirms continuing here a test that runs on another device. */
export function TakeOverModal({ start }: { start: Start }) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const { elsewhere } = start;
  const lastSeenAt = elsewhere?.lastHeardAt ? Date.parse(elsewhere.lastHeardAt) : null;
  const now = serverNow();
  return (
    <Modal
      opened={elsewhere !== null}
      onClose={start.cancelTakeOver}
      title="Продолжить на этом устройстве?"
      footer={
        <>
          <Button
            loading={start.isStarting}
            onClick={() => elsewhere && start.start(elsewhere.attemptId)}
          >
            Продолжить здесь
          </Button>
          <Button variant="default" onClick={start.cancelTakeOver}>
            Не продолжать
          </Button>
        </>
      }
    >
      <Stack>
        <p>
          Тест уже идёт на другом устройстве.{' '}
          {lastSeenAt === null
            ? 'Сервер его ещё не слышал.'
            : `Оно было на связи ${formatAtMoment(lastSeenAt, now, timeZone)}, ${formatElapsed(now - lastSeenAt)} назад.`}
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
      </Stack>
    </Modal>
  );
}
