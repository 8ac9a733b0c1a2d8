import { IconCircleCheck, IconCloudOff, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import {
  isWhollyReady,
  readinessVerdict,
  readinessMessage,
  requestPersistence,
} from './readiness.ts';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** `navigator.onLine`: a hint for messages, never a reason not to send. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

/** Whether an active service worker can start the app offline. */
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

/** Shows before the start whether this device can store answers and work offline. */
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
  const isReady = isWhollyReady(readiness);
  const icon = isReady ? IconCircleCheck : verdict === 'noNetwork' ? IconCloudOff : IconInfoCircle;
  return (
    <InlineNote tone={isReady ? 'ok' : 'plain'} icon={icon} role="status">
      {readinessMessage(readiness)}
    </InlineNote>
  );
}
