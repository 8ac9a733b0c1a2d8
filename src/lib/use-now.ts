import { useEffect, useState } from 'react';
import { useDevice } from './device-services.ts';

/** Server time in milliseconds, updated every `everyMs` and whenever the page becomes visible. */
export function useNow(everyMs: number): number {
  const { serverNow } = useDevice();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const renew = () => setNow(serverNow());
    const timer = setInterval(renew, everyMs);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [serverNow, everyMs]);
  return now;
}
