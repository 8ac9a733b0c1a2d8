import { RegisterForm, register, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import classes from './AuthForm.module.css';
import { FormField } from './FormField.tsx';
import { SubmitRow } from './SubmitRow.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSignalValue } from './use-signal-value.ts';

/** A new account; the server signs it in at once. */
export function RegistrationForm({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const { form, Form, Field, problem, submit } = useAuthForm(
    RegisterForm,
    { userName: '', email: '', password: '' },
    async (body) => onSignedIn(await call(register, { body })),
  );
  const isSending = useSignalValue(form.submitting);
  return (
    <Form onSubmit={submit} className={classes.form} noValidate>
      <Field name="userName">
        {(field, inputProps) => (
          <FormField
            field={field}
            inputProps={inputProps}
            label="Логин"
            type="text"
            autoComplete="name"
          />
        )}
      </Field>
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
            description="Не менее 6 символов, среди них заглавная латинская буква и цифра"
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
      <SubmitRow label="Зарегистрироваться" isSending={isSending} problem={problem} />
    </Form>
  );
}
