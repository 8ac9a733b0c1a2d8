import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { useDevice } from './device-context.ts';
import { logProblem } from './log.ts';
import type { UpdateVerdict } from './messages.ts';
import { useOutboxValue } from './use-outbox-value.ts';

const REFUSED: Readonly<Record<UpdateVerdict['verdict'], string | null>> = {
  applied: null,
  attemptRuns: 'Идёт тест. Обновить можно будет, когда он завершится.',
  otherTabs: 'Приложение открыто и в других вкладках. Закройте их и нажмите ещё раз.',
};

/** Offers the waiting version when no attempt runs on this device; it never comes by itself. */
export function UpdatePrompt({ owner }: { owner: string | null }) {
  const { worker } = useDevice();
  const isWaiting = useSyncExternalStore(worker.subscribe, worker.isUpdateWaiting);
  const [refusal, setRefusal] = useState<string | null>(null);
  const countRunning = useCallback(
    async (outbox: Outbox) => (owner === null ? 0 : (await outbox.runningAttempts(owner)).length),
    [owner],
  );
  const running = useOutboxValue(countRunning, 1);
  if (!isWaiting || running > 0) return null;
  const apply = () => {
    worker.applyUpdate().then(
      (verdict) => setRefusal(REFUSED[verdict]),
      (cause: unknown) => {
        logProblem('Обновление не ответило', { cause });
        setRefusal('Обновить сейчас не получилось. Закройте приложение и откройте снова.');
      },
    );
  };
  return (
    <InlineNote
      tone="line"
      icon={IconRefresh}
      role="status"
      action={
        <Button variant="default" size="sm" onClick={apply}>
          Обновить
        </Button>
      }
    >
      {refusal ?? 'Готова новая версия приложения. Вход и ответы на устройстве сохранятся.'}
    </InlineNote>
  );
}
