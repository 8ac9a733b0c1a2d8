import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen } from '#app/ui/overlays/Modal.tsx';

type Step = 'undo' | 'redo';

/** The requested step by physical key, independent of the layout. */
function stepOf({ code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Step | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  if (code === 'KeyZ') return shiftKey ? 'redo' : 'undo';
  return code === 'KeyY' && ctrlKey && !shiftKey ? 'redo' : null;
}

const INPUT_STEPS: Readonly<Record<string, Step>> = { historyUndo: 'undo', historyRedo: 'redo' };

const TYPED = 'textarea, input:not([type="checkbox"], [type="radio"], [type="file"])';

/** Fields outside of the draft, such as template, search or wish. */
const isTypedElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.matches(TYPED) && !target.closest('[data-undo="draft"]');

/** Undo and redo of the whole draft by Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y and phone keyboards. */
export function useUndoKeys(onStep: (step: Step) => void): void {
  const onKnownStep = useEffectEvent(onStep);
  useEffect(() => {
    const take = (event: Event, step: Step | null | undefined) => {
      // Fields of a modal use the browser's own undo.
      if (!step || isDialogOpen()) return;
      if (isTypedElsewhere(event.target)) return;
      event.preventDefault();
      onKnownStep(step);
    };
    const onKey = (event: KeyboardEvent) => take(event, stepOf(event));
    const onInput = (event: InputEvent) => take(event, INPUT_STEPS[event.inputType]);
    document.addEventListener('keydown', onKey);
    document.addEventListener('beforeinput', onInput);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('beforeinput', onInput);
    };
  }, []);
}
