import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type RefObject } from 'react';

const TYPED = 'textarea, input:not([type=radio], [type=checkbox], [type=file])';

/** Typing counts as paused after this time without a key. */
const PAUSE_MS = 1_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** The focused field, if a person can type into it. */
function findOpenField(): Field | null {
  const field = document.activeElement?.closest<Field>(TYPED) ?? null;
  return field && !field.readOnly && !field.disabled ? field : null;
}

/** Calls back when nobody types into a field: at once, after a pause in typing, or when the field is left or closed. */
function afterTyping(then: (field: Field | null) => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    stop.abort();
    clearTimeout(timer);
  };
  const call = (field: Field | null) => {
    end();
    then(field);
  };
  const field = findOpenField();
  if (!field) {
    call(null);
    return end;
  }
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => call(findOpenField()), PAUSE_MS);
  };
  for (const type of ['keydown', 'input'])
    field.addEventListener(type, restart, { signal: stop.signal });
  restart();
  return end;
}

export interface UrgentNote {
  ref: RefObject<HTMLDivElement | null>;
  /** Text typed while the note has the focus belongs to the field that had the focus before. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Moves the focus to an urgent note when it appears or changes while the page is open, after dialogs have closed and
 * restored the focus. Typing is not interrupted: the note is spoken at once, and gets the focus after the last key. The
 * field gets the focus back with the next key, or when the note disappears.
 * @param reason names the note; null: there is none
 */
export function useUrgentFocus(reason: string | null): UrgentNote {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(reason);
  const left = useRef<Field | null>(null);
  const focusNote = useEffectEvent((field: Field | null) => {
    left.current = field;
    ref.current?.focus();
  });
  const returnFocus = useEffectEvent(() => {
    if (document.activeElement === ref.current) left.current?.focus({ preventScroll: true });
    left.current = null;
  });
  useEffect(() => {
    if (shown.current === reason) return;
    shown.current = reason;
    if (reason === null) return returnFocus();
    let stop = () => {};
    const frame = requestAnimationFrame(() => {
      stop = afterTyping(focusNote);
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [reason]);
  return {
    ref,
    onKeyDown({ key, target, ctrlKey, metaKey, altKey, nativeEvent }) {
      if (target !== ref.current || !left.current?.isConnected || left.current.readOnly) return;
      if (key.length > 1 || ctrlKey || metaKey || altKey) return;
      nativeEvent.stopImmediatePropagation();
      left.current.focus();
    },
  };
}
