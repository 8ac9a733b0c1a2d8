import { lazy, Suspense, useState } from 'react';
import { LoginBody, login, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import classes from './AuthForm.module.css';
import { FormField } from './FormField.tsx';
import { SubmitRow } from './SubmitRow.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';
import { useSignalValue } from '#app/ui/use-signal-value.ts';

export interface SignInFormProps {
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
}

// Only some teachers and administrators ever see it.
const SecondStep = lazy(async () => {
  const { SecondStep: step } = await import('./SecondStep.tsx');
  return { default: step };
});

/** E-mail and password, and a second step where the account has one; the same on the sign-in screen and in place. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  /** What the server gave for the second step; undefined: it asks for none. */
  const [step, setStep] = useState<unknown>();
  if (step === undefined) return <PasswordForm onSignedIn={onSignedIn} onSecondStep={setStep} />;
  return (
    <Suspense fallback={<PageSpinner />}>
      <SecondStep given={step} onSignedIn={onSignedIn} onBack={() => setStep(undefined)} />
    </Suspense>
  );
}

interface PasswordFormProps extends SignInFormProps {
  onSecondStep: (step: unknown) => void;
}

function PasswordForm({ onSignedIn, onSecondStep }: PasswordFormProps) {
  const { form, Form, Field, problem, submit } = useAuthForm(
    LoginBody,
    { email: '', password: '' },
    async (body) => {
      try {
        await onSignedIn(await call(login, { body }));
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
        onSecondStep(error.details);
      }
    },
  );
  const isSending = useSignalValue(form.submitting);
  return (
    <Form onSubmit={submit} className={classes.form} noValidate>
      <Field name="email">
        {(field, inputProps) => (
          <FormField
            field={field}
            inputProps={inputProps}
            label="Почта"
            type="email"
            autoComplete="username"
          />
        )}
      </Field>
      <Field name="password">
        {(field, inputProps) => (
          <FormField
            field={field}
            inputProps={inputProps}
            label="Пароль"
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <SubmitRow label="Войти" isSending={isSending} problem={problem} />
      <p className={classes.forgotten}>
        Забыли пароль? Если вы ученик, попросите преподавателя его сбросить. Если преподаватель,
        попросите администратора школы.
      </p>
    </Form>
  );
}
