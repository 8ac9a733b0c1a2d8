import { useEffect, useState } from 'react';
import { useDevice } from './device-context.ts';

/** Server time in milliseconds, renewed every `everyMs` and whenever the page is seen again. */
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
