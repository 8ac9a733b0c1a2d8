import type { KeyboardEvent } from 'react';

/** A fresh Enter alone: not held, not with Ctrl or Shift, and not the one that ends a composition. */
export const isPlainEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' &&
  !event.repeat &&
  !event.nativeEvent.isComposing &&
  !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
