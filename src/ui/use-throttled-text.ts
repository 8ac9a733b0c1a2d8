import { useEffect, useRef, useState } from 'react';

/**
 * A text for a live region. Changes reach it at most once in `everyMs` milliseconds; the last one always does. Empty
 * until the first change, so that nothing is spoken when a page opens.
 */
export function useThrottledText(text: string, everyMs: number): string {
  const [spoken, setSpoken] = useState('');
  const announced = useRef(text);
  const lastAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    if (text === announced.current) return;
    const announce = () => {
      announced.current = text;
      lastAt.current = Date.now();
      setSpoken(text);
    };
    const wait = lastAt.current + everyMs - Date.now();
    if (wait <= 0) {
      announce();
      return;
    }
    const timer = setTimeout(announce, wait);
    return () => clearTimeout(timer);
  }, [text, everyMs]);

  return spoken;
}
