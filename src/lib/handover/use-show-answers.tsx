import { IconQrcode } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';

const ShowAnswers = lazyPart(
  () => import('./ShowAnswers.tsx'),
  (module) => module.ShowAnswers,
);

/**
 * Hands the answers that the server lacks to the teacher's camera. Render the board always: the confirmation that it reads
 * leaves no answer for the button.
 */
export function useShowAnswers(): { button: ReactNode; board: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  return {
    button: (
      <div>
        <QuietButton tone="ink" icon={IconQrcode} onClick={() => setOpen(true)}>
          Передать ответы через камеру
        </QuietButton>
      </div>
    ),
    board: isOpen && <ShowAnswers onClose={() => setOpen(false)} />,
  };
}
