import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useShortcuts } from '#app/ui/shortcuts.ts';
import {
  indexOfKey,
  nextFree,
  withPair,
  withoutPair,
  type LeftItem,
  type Pair,
  type RightItem,
} from './matching.ts';

interface BankChoices {
  readonly left: readonly LeftItem[];
  readonly right: readonly RightItem[];
  readonly pairs: readonly Pair[];
  /** Whether one right item may be chosen for several left ones. */
  readonly reuse: boolean;
  readonly onChange: (pairs: Pair[]) => void;
  /**
   * Announces that a right item was chosen for a left one, by its index, or that the choice was removed (null), and
   * which left item is next; null: none.
   */
  readonly announce: (leftId: string, index: number | null, next: string | null) => string;
}

/**
 * Choosing from one bank for several places, by taps or keys. A place opens the bank; a choice there fills it and moves
 * on to the next free place.
 */
export function useBank({ left, right, pairs, reuse, onChange, announce }: BankChoices) {
  const { isOn } = useShortcuts();
  const [active, setActive] = useState<string | null>(null);
  const [spoken, setSpoken] = useState('');
  const buttons = useRef(new Map<string, HTMLElement>());
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  const activeIndex = left.findIndex((item) => item.leftId === active);
  const activeItem = left[activeIndex];

  useEffect(() => {
    if (!active) return;
    buttons.current.get(active)?.scrollIntoView({ block: 'nearest' });
    const bank = ref.current?.parentElement;
    if (bank && getComputedStyle(bank).position === 'static')
      bank.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const open = (leftId: string | null, focusBank: boolean) => {
    setActive(leftId);
    if (leftId !== null && focusBank) requestAnimationFrame(() => ref.current?.focus());
  };

  const close = () => {
    if (active) buttons.current.get(active)?.focus();
    setActive(null);
  };

  const choose = (leftId: string, index: number) => {
    const item = right[index];
    if (!item) return;
    const next = withPair(left, pairs, { leftId, rightId: item.rightId }, reuse);
    const free = nextFree(left, next, leftId);
    setSpoken(announce(leftId, index, free));
    onChange(next);
    if (free === null && ref.current?.contains(document.activeElement)) {
      buttons.current.get(leftId)?.focus();
    }
    open(free, false);
  };

  const clear = (leftId: string) => {
    setSpoken(announce(leftId, null, leftId));
    onChange(withoutPair(pairs, leftId));
  };

  const onKeyDown = (event: KeyboardEvent, leftId: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = !isOn
      ? -1
      : indexOfKey({ key: event.key, code: event.nativeEvent.code }, right.length);
    if (event.key === 'Delete' || event.key === 'Backspace') clear(leftId);
    else if (event.key === 'Escape' && active) close();
    else if (index >= 0) choose(leftId, index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    active,
    spoken,
    /** Props of the button of one place. */
    place: (leftId: string) => ({
      ref: (element: HTMLElement | null) => {
        if (element) buttons.current.set(leftId, element);
      },
      'data-active': leftId === active || undefined,
      'aria-expanded': leftId === active,
      'aria-controls': id,
      // A click by key opens the bank for keys.
      onClick: ({ detail }: MouseEvent) => open(leftId === active ? null : leftId, detail === 0),
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, leftId),
    }),
    bank: {
      id,
      ref,
      left,
      right,
      pairs,
      reuse,
      activeIndex,
      activeItem,
      onChoose: (index: number) => activeItem && choose(activeItem.leftId, index),
      onClear: () => activeItem && clear(activeItem.leftId),
      onClose: close,
    },
  };
}
