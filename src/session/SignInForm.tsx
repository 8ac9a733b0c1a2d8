import { LoginBody, login, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import classes from './AuthForm.module.css';
import { FormField } from './FormField.tsx';
import { SubmitRow } from './SubmitRow.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSignalValue } from '#app/ui/use-signal-value.ts';

export interface SignInFormProps {
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
}

/** E-mail and password; the same on the sign-in screen and in place. */
export function SignInForm({ onSignedIn }: SignInFormProps) {
  const { form, Form, Field, problem, submit } = useAuthForm(
    LoginBody,
    { email: '', password: '' },
    async (body) => onSignedIn(await call(login, { body })),
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
    </Form>
  );
}
