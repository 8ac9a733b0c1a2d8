import { useEffect } from 'react';

/** Tells the sheet around a form whether something is typed in it; a form that goes away has nothing. */
export function useToldDirty(isDirty: boolean, onDirty: (isDirty: boolean) => void): void {
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
}
