import { lazy, Suspense, useEffect, useState } from 'react';
import { setConfirmationPrompt } from '#app/api/call.ts';

const ConfirmationSheet = lazy(async () => {
  const { ConfirmationSheet: sheet } = await import('./ConfirmationSheet.tsx');
  return { default: sheet };
});

/** Asks for a proof of who one is whenever a call needs one; calls that wait share one question. */
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
  return (
    <Suspense>
      <ConfirmationSheet onConfirmed={() => answer(true)} onClose={() => answer(false)} />
    </Suspense>
  );
}
