import { IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';

const ReceiptModal = lazyPart(
  () => import('./ReceiptModal.tsx'),
  (module) => module.ReceiptModal,
);

/** «Квитанция» of a finished attempt. */
export function ReceiptButton({ attemptId }: { attemptId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <QuietButton tone="ink" icon={IconReceipt} onClick={() => setOpen(true)}>
        Квитанция
      </QuietButton>
      {isOpen && <ReceiptModal attemptId={attemptId} onClose={() => setOpen(false)} />}
    </div>
  );
}
