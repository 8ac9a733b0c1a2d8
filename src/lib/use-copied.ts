import { useState } from 'react';

/** Copies a text, and returns a message about the result. */
export function useCopied(text: string) {
  const [state, setState] = useState<'none' | 'copied' | 'failed'>('none');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Clipboard forbidden, or not a secure context.
      setState('failed');
    }
  };
  return { state, copy: () => void copy() };
}
