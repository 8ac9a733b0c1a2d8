import { Text } from '@mantine/core';
import { useState } from 'react';
import { LoginBody, login, type SignedIn } from '#contract/auth.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { call } from '#app/api/call.ts';
import { isRefusal } from '#app/api/failure.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { signInMessage } from './sign-in-message.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';

export interface SignInFormProps {
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
}

// Loaded lazily: only some teachers and administrators need it.
const SecondStep = lazyPart(
  () => import('./SecondStep.tsx'),
  (module) => module.SecondStep,
);

/** E-mail and password, and a second step where the account has one; the same on the sign-in screen and in place. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  /** Details of the second step; undefined: not required. */
  const [step, setStep] = useState<unknown>();
  if (step === undefined) return <PasswordForm onSignedIn={onSignedIn} onSecondStep={setStep} />;
  return (
    <SecondStep
      waiting={<PageSpinner />}
      details={step}
      onSignedIn={onSignedIn}
      onBack={() => setStep(undefined)}
    />
  );
}

interface PasswordFormProps extends SignInFormProps {
  onSecondStep: (step: unknown) => void;
}

function PasswordForm({ onSignedIn, onSecondStep }: PasswordFormProps) {
  const form = useAppForm({
    schema: LoginBody,
    initialValues: { email: '', password: '' },
    toMessage: signInMessage,
    send: async (body) => {
      try {
        await onSignedIn(await call(login, { body }));
      } catch (error) {
        if (!isRefusal(error, 'SECOND_FACTOR_REQUIRED')) throw error;
        onSecondStep(error.details);
      }
    },
  });
  return (
    <AppForm of={form}>
      <FormField
        of={form}
        name="email"
        required
        label="Почта"
        type="email"
        autoComplete="username"
      />
      <FormField
        of={form}
        name="password"
        required
        label="Пароль"
        type="password"
        autoComplete="current-password"
      />
      <FormFoot of={form} label="Войти" fullWidth />
      <Text size="sm" c="dimmed">
        Забыли пароль? Если вы ученик, попросите преподавателя его сбросить. Если преподаватель,
        попросите администратора школы.
      </Text>
    </AppForm>
  );
}
