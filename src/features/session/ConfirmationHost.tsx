import { useEffect, useState } from 'react';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { setConfirmationPrompt } from '#app/api/call.ts';

const ConfirmationModal = lazyPart(
  () => import('./ConfirmationModal.tsx'),
  (module) => module.ConfirmationModal,
);

/** Asks for a proof of identity when a call needs a confirmation; pending calls share one modal. */
export function ConfirmationHost() {
  const [answer, setAnswer] = useState<((isConfirmed: boolean) => void) | null>(null);
  useEffect(() => {
    let asked: Promise<boolean> | null = null;
    return setConfirmationPrompt(() => {
      asked ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asked = null;
        setAnswer(null);
      });
      return asked;
    });
  }, []);
  if (answer === null) return null;
  return <ConfirmationModal onConfirmed={() => answer(true)} onClose={() => answer(false)} />;
}
