import { useEffect } from 'react';
import { useLatest } from './use-latest.ts';

type Step = 'undo' | 'redo';

/** The step a press asks for, whatever the layout: the keys stand where Z and Y are. */
function stepOf({ code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): Step | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  if (code === 'KeyZ') return shiftKey ? 'redo' : 'undo';
  return code === 'KeyY' && ctrlKey && !shiftKey ? 'redo' : null;
}

const INPUT_STEPS: Readonly<Record<string, Step>> = { historyUndo: 'undo', historyRedo: 'redo' };

/** A sheet has fields of its own, whose typing the browser takes back. */
const isInSheet = (target: EventTarget | null) =>
  target instanceof Element && target.closest('dialog') !== null;

const TYPED = 'textarea, input:not([type="checkbox"], [type="radio"], [type="file"])';

/** Fields of a template, of a search or of a wish: their typing is no step of the draft. */
const isTypedElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.matches(TYPED) && !target.closest('[data-undo="draft"]');

/** Ctrl+Z, Ctrl+Shift+Z, Ctrl+Y, and what a phone's keyboard offers: steps of the whole draft. */
export function useUndoKeys(onStep: (step: Step) => void): void {
  const latest = useLatest(onStep);
  useEffect(() => {
    const take = (event: Event, step: Step | null | undefined) => {
      if (!step || isInSheet(event.target) || document.querySelector('dialog[open]')) return;
      if (isTypedElsewhere(event.target)) return;
      event.preventDefault();
      latest.current(step);
    };
    const onKey = (event: KeyboardEvent) => take(event, stepOf(event));
    const onInput = (event: InputEvent) => take(event, INPUT_STEPS[event.inputType]);
    document.addEventListener('keydown', onKey);
    document.addEventListener('beforeinput', onInput);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('beforeinput', onInput);
    };
  }, [latest]);
}
