import { useLayoutEffect, useRef, type RefObject } from 'react';

/** A ref to the latest value, for handlers with a stable identity. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}
