import { IconCircleCheck, IconCloudOff, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { readinessVerdict, readinessWords, requestPersistence } from './readiness.ts';
import { useOnline } from './use-online.ts';

/** Whether a worker holds the app ready for a start without a network. */
function useWorkerActive(): boolean {
  const [isActive, setActive] = useState(
    () => 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
  );
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    let isCurrent = true;
    void navigator.serviceWorker.ready.then(({ active }) => {
      if (isCurrent) setActive(active !== null);
    });
    return () => {
      isCurrent = false;
    };
  }, []);
  return isActive;
}

/** Says before the start whether this device can keep answers and open without a network. */
export function ReadinessCheck({ isDurable }: { isDurable: boolean }) {
  const [isPersisted, setPersisted] = useState<boolean | null>();
  const isWorkerActive = useWorkerActive();
  const isOnline = useOnline();
  useEffect(() => {
    let isCurrent = true;
    void requestPersistence(navigator.storage).then((answer) => {
      if (isCurrent) setPersisted(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, []);
  const readiness = {
    isSecure: globalThis.isSecureContext,
    isDurable,
    ...(isPersisted !== undefined && { isPersisted }),
    hasBackgroundSync: 'SyncManager' in globalThis,
    isWorkerActive,
    isOnline,
  };
  const verdict = readinessVerdict(readiness);
  const isReady = verdict === 'ready';
  const icon = isReady ? IconCircleCheck : verdict === 'noNetwork' ? IconCloudOff : IconInfoCircle;
  return (
    <InlineNote tone={isReady ? 'ok' : 'plain'} icon={icon} role="status">
      {readinessWords(readiness)}
    </InlineNote>
  );
}
