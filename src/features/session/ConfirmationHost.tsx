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
    let pending: Promise<boolean> | null = null;
    return setConfirmationPrompt(() => {
      pending ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        pending = null;
        setAnswer(null);
      });
      return pending;
    });
  }, []);
  if (answer === null) return null;
  return <ConfirmationModal onConfirmed={() => answer(true)} onClose={() => answer(false)} />;
}
