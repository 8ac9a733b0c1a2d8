import { useQuery } from '@tanstack/react-query';
import { confirmIdentity, startConfirmation } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './AuthForm.module.css';
import { ProofForm } from './ProofForm.tsx';

export interface ConfirmationSheetProps {
  onConfirmed: () => void;
  onClose: () => void;
}

function Content({ onConfirmed }: Pick<ConfirmationSheetProps, 'onConfirmed'>) {
  // Begun anew each time: what the server gives holds for minutes.
  const { data, error, refetch } = useQuery({
    queryKey: ['session/confirmation'],
    queryFn: ({ signal }) => call(startConfirmation, {}, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error)
    return (
      <ErrorPanel
        heading="Подтверждение не началось"
        message={failureWords(error)}
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

/** Asks who one is before what cannot be taken back. */
export function ConfirmationSheet({ onConfirmed, onClose }: ConfirmationSheetProps) {
  return (
    <Sheet opened onClose={onClose} title="Подтвердите, что это вы">
      <div className={classes.form}>
        <p>
          Это действие нельзя отменить, поэтому перед ним нужно подтверждение. Оно действует пять
          минут. Пока ничего не изменено.
        </p>
        <Content onConfirmed={onConfirmed} />
      </div>
    </Sheet>
  );
}
