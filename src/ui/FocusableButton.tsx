import { useMergedRef } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState, type ComponentProps, type MouseEvent } from 'react';

interface FocusableButtonProps extends ComponentProps<'button'> {
  /** Set by Mantine's `Button` and `ActionIcon` while they show their loader. */
  'data-loading'?: boolean;
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The element of every `Button` and `ActionIcon`, set by the theme. A button stays focusable while it is busy, or when
 * it is disabled while focused: a disabled element would lose the focus to the page's body. Its clicks do nothing, so
 * neither keys nor Enter in a field of its form act on it.
 */
export function FocusableButton({
  disabled = false,
  type = 'button',
  ref,
  onClick,
  onBlur,
  ...props
}: FocusableButtonProps) {
  const isBusy = props['data-loading'] === true;
  const isOff = disabled || isBusy;
  const own = useRef<HTMLButtonElement>(null);
  const merged = useMergedRef(own, ref);
  const [hasFocus, setFocus] = useState(false);
  // Browsers take the focus from a disabled element only after the next layout.
  useLayoutEffect(() => {
    setFocus(isOff && document.activeElement === own.current);
  }, [isOff]);
  const isReachable = isBusy || hasFocus;
  return (
    <button
      {...props}
      ref={merged}
      // oxlint-disable-next-line react/button-has-type -- as the button is used
      type={type}
      disabled={isOff && !isReachable}
      aria-disabled={(isOff && isReachable) || props['aria-disabled']}
      aria-busy={isBusy || props['aria-busy']}
      onClick={isOff ? skip : onClick}
      onBlur={(event) => {
        setFocus(false);
        onBlur?.(event);
      }}
    />
  );
}
