import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { confirmIdentity, startConfirmation } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { ProofForm } from './ProofForm.tsx';

export interface ConfirmationModalProps {
  onConfirmed: () => void;
  onClose: () => void;
}

function Content({ onConfirmed }: Pick<ConfirmationModalProps, 'onConfirmed'>) {
  // Not cached: the server's step expires within minutes.
  const { data, error, refetch } = useQuery({
    queryKey: ['session', 'confirmation'],
    queryFn: ({ signal }) => call(startConfirmation, {}, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error)
    return (
      <ErrorPanel
        heading="Подтверждение не началось"
        message={describeFailure(error)}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <RowsSkeleton rows={2} />;
  return (
    <ProofForm
      key={data.challenge}
      step={data}
      submitLabel="Подтвердить"
      send={async (proof) => {
        await call(confirmIdentity, { body: { challenge: data.challenge, proof } });
        onConfirmed();
      }}
      onStepOver={() => void refetch()}
    />
  );
}

/** Asks for a proof of identity before an action that an unlocked device must not allow to others. */
export function ConfirmationModal({ onConfirmed, onClose }: ConfirmationModalProps) {
  return (
    <Modal opened onClose={onClose} title="Подтвердите, что это вы">
      <Stack>
        <p>
          Перед этим действием нужно подтверждение: за устройством мог остаться кто-то другой. Оно
          действует пять минут. Пока ничего не изменено, введённое не пропадёт.
        </p>
        <Content onConfirmed={onConfirmed} />
      </Stack>
    </Modal>
  );
}
