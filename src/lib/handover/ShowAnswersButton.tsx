import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';

const ShowAnswers = lazyPart(
  () => import('./ShowAnswers.tsx'),
  (module) => module.ShowAnswers,
);

/** Hands the answers that the server lacks to the teacher's camera. */
export function ShowAnswersButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <QuietButton tone="ink" icon={IconQrcode} onClick={() => setOpen(true)}>
        Передать ответы через камеру
      </QuietButton>
      {isOpen && <ShowAnswers onClose={() => setOpen(false)} />}
    </div>
  );
}
