import { Stack } from '@mantine/core';
import * as v from 'valibot';
import type { SignedIn } from '#contract/auth.ts';
import { FactorStep, loginSecondFactor } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { ErrorPanel } from '#app/ui/layout/ErrorPanel.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { ProofForm } from './ProofForm.tsx';

export interface SecondStepProps {
  /** Details of the server's refusal that requires a second step. */
  details: unknown;
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
  /** Back to e-mail and password. */
  onBack: () => void;
}

/** The second step of a sign-in. */
export function SecondStep({ details, onSignedIn, onBack }: SecondStepProps) {
  const step = v.safeParse(FactorStep, details);
  if (!step.success)
    return (
      <ErrorPanel
        heading="Второй шаг не открылся"
        message="Обновите страницу и войдите снова"
        onRetry={onBack}
      />
    );
  const { challenge } = step.output;
  return (
    <Stack>
      <p role="status">Пароль подошёл. Остался второй шаг.</p>
      <ProofForm
        step={step.output}
        submitLabel="Войти"
        send={async (proof) => {
          // The server offers the password only to signed-in people.
          if (proof.method === 'password') return;
          await onSignedIn(await call(loginSecondFactor, { body: { challenge, proof } }));
        }}
        onStepOver={() => undefined}
      />
      <QuietButton onClick={onBack}>Назад к почте и паролю</QuietButton>
    </Stack>
  );
}
