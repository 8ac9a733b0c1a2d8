import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useDevice } from '#app/lib/device-services.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import { useApplyUpdate } from './use-apply-update.ts';

const OFFERED = 'Готова новая версия приложения. Вход и ответы на устройстве сохранятся.';
const NEEDED =
  'Сервер принимает ответы только от новой версии приложения. Ответы на устройстве сохранятся и уйдут после обновления.';

/** Whether the server requires a newer version; then an update check runs at once. */
function useMustUpdate(): boolean {
  const { outbox, worker } = useDevice();
  const [mustUpdate, setMustUpdate] = useState(false);
  useEffect(
    () =>
      outbox.subscribe((event) => {
        if (event.kind !== 'paused' || event.pause !== 'update') return;
        setMustUpdate(true);
        worker.lookForUpdate();
      }),
    [outbox, worker],
  );
  return mustUpdate;
}

/** Offers the waiting version when no attempt runs on this device; it is never applied automatically. */
export function UpdatePrompt({ owner }: { owner: string | null }) {
  const { worker } = useDevice();
  const isWaiting = useSyncExternalStore(worker.subscribe, worker.isUpdateWaiting);
  const countRunning = useCallback(
    async (outbox: Outbox) => (owner === null ? 0 : (await outbox.runningAttempts(owner)).length),
    [owner],
  );
  const running = useOutboxValue(countRunning, 1);
  const mustUpdate = useMustUpdate();
  const { refusal, apply } = useApplyUpdate(mustUpdate);
  if (!isWaiting || (running > 0 && !mustUpdate)) return null;
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
      {refusal ?? (mustUpdate ? NEEDED : OFFERED)}
    </InlineNote>
  );
}
