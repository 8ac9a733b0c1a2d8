import { useLayoutEffect, useRef, type RefObject } from 'react';

/** The newest of a value, for handlers that stay the same object. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
