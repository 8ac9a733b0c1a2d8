import { useEffect } from 'react';

/** Reports to the modal around a form whether it has unsaved input; an unmounted form has none. */
export function useReportDirty(isDirty: boolean, onDirty?: (isDirty: boolean) => void): void {
  useEffect(() => {
    onDirty?.(isDirty);
    return () => onDirty?.(false);
  }, [isDirty, onDirty]);
}
