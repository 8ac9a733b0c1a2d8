import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import {
  nextFree,
  withPair,
  withoutPair,
  type LeftItem,
  type Pair,
  type RightItem,
} from './matching.ts';
import { useBankKeys } from './use-bank-keys.ts';

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

/** The elements of the places and of the bank: their focus, and the scroll to the open ones. */
function useBankElements(active: string | null) {
  const buttons = useRef(new Map<string, HTMLElement>());
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!active) return;
    buttons.current.get(active)?.scrollIntoView({ block: 'nearest' });
    const bank = ref.current?.parentElement;
    if (bank && getComputedStyle(bank).position === 'static')
      bank.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return {
    ref,
    addPlace: (leftId: string, element: HTMLElement | null) => {
      if (element) buttons.current.set(leftId, element);
    },
    focusPlace: (leftId: string) => buttons.current.get(leftId)?.focus(),
    focusBank: () => requestAnimationFrame(() => ref.current?.focus()),
    hasBankFocus: () => ref.current?.contains(document.activeElement) === true,
  };
}

/**
 * Choosing from one bank for several places, by taps or keys. A place opens the bank; a choice there fills it and moves
 * on to the next free place.
 */
export function useBank({ left, right, pairs, reuse, onChange, announce }: BankChoices) {
  const [active, setActive] = useState<string | null>(null);
  const [spoken, setSpoken] = useState('');
  const { ref, addPlace, focusPlace, focusBank, hasBankFocus } = useBankElements(active);
  const handleKey = useBankKeys(right.length);
  const id = useId();
  const activeIndex = left.findIndex((item) => item.leftId === active);
  const activeItem = left[activeIndex];

  const toggle = (leftId: string, isByKey: boolean) => {
    const isOpening = leftId !== active;
    setActive(isOpening ? leftId : null);
    if (isOpening && isByKey) focusBank();
  };

  const close = () => {
    if (active) focusPlace(active);
    setActive(null);
  };

  const choose = (leftId: string, index: number) => {
    const item = right[index];
    if (!item) return;
    const next = withPair(left, pairs, { leftId, rightId: item.rightId }, reuse);
    const free = nextFree(left, next, leftId);
    setSpoken(announce(leftId, index, free));
    onChange(next);
    if (free === null && hasBankFocus()) focusPlace(leftId);
    setActive(free);
  };

  const clear = (leftId: string) => {
    setSpoken(announce(leftId, null, leftId));
    onChange(withoutPair(pairs, leftId));
  };

  const onKeyDown = (event: KeyboardEvent, leftId: string) => {
    const onClear = () => clear(leftId);
    const actions = { Delete: onClear, Backspace: onClear, Escape: active ? close : undefined };
    handleKey(event, actions, (index) => choose(leftId, index));
  };

  return {
    active,
    spoken,
    /** Props of the button of one place. */
    place: (leftId: string) => ({
      ref: (element: HTMLElement | null) => addPlace(leftId, element),
      'data-active': leftId === active || undefined,
      'aria-expanded': leftId === active,
      'aria-controls': id,
      // A click by key opens the bank for keys.
      onClick: ({ detail }: MouseEvent) => toggle(leftId, detail === 0),
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
