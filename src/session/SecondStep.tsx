import * as v from 'valibot';
import type { SignedIn } from '#contract/auth.ts';
import { FactorStep, loginSecondFactor } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { ErrorPanel } from '#app/ui/ErrorPanel.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import classes from './AuthForm.module.css';
import { ProofForm } from './ProofForm.tsx';

export interface SecondStepProps {
  /** What the server's refusal of the password alone holds. */
  given: unknown;
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
  /** Back to e-mail and password. */
  onBack: () => void;
}

/** The second step of a sign-in. */
export function SecondStep({ given, onSignedIn, onBack }: SecondStepProps) {
  const step = v.safeParse(FactorStep, given);
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
    <div className={classes.form}>
      <p role="status">Пароль подошёл. Остался второй шаг.</p>
      <ProofForm
        step={step.output}
        submitLabel="Войти"
        send={async (proof) => {
          // The server offers the password only where one is signed in already.
          if (proof.method === 'password') return;
          await onSignedIn(await call(loginSecondFactor, { body: { challenge, proof } }));
        }}
        onStepOver={() => undefined}
      />
      <QuietButton onClick={onBack}>Назад к почте и паролю</QuietButton>
    </div>
  );
}
