import { useEffect, useState } from 'react';
import type { Outbox } from '#app/outbox/outbox.ts';
import { useDevice } from './device-services.ts';
import { logProblem } from './log.ts';

/**
 * A value read from the outbox, refreshed when the outbox changes here or in another tab. `read` must be stable
 * (useCallback); `initial` is returned until the first read.
 */
export function useOutboxValue<T>(read: (outbox: Outbox) => Promise<T>, initial: T): T {
  const { outbox } = useDevice();
  const [value, setValue] = useState(initial);
  useEffect(() => {
    let isCurrent = true;
    let newest = 0;
    const refresh = () => {
      newest += 1;
      const turn = newest;
      read(outbox).then(
        (fresh) => {
          if (isCurrent && turn === newest) setValue(fresh);
        },
        (cause: unknown) => logProblem('Память устройства не прочитать', { cause }),
      );
    };
    refresh();
    const unsubscribe = outbox.subscribe(refresh);
    return () => {
      isCurrent = false;
      unsubscribe();
    };
  }, [outbox, read]);
  return value;
}
