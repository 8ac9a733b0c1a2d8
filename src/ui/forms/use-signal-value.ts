import type { ReadonlySignal } from '@preact/signals-react';
import { useSyncExternalStore } from 'react';

/**
 * The value of a form's signal, current at every render. A component that only reads `.value` goes stale and loses
 * typed text.
 */
export function useSignalValue<T>(signal: ReadonlySignal<T>): T {
  return useSyncExternalStore(
    (changed) => signal.subscribe(() => changed()),
    () => signal.peek(),
    () => signal.peek(),
  );
}
