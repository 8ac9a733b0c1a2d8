import { useState } from 'react';
import * as v from 'valibot';
import { RegisterForm, register, type SignedIn } from '#contract/auth.ts';
import { call } from '#app/api/call.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './AuthForm.module.css';
import { FormField } from './FormField.tsx';
import { signInProblem } from './sign-in-problem.ts';
import { SubmitRow } from './SubmitRow.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSignalValue } from '#app/ui/use-signal-value.ts';

const Form = v.strictObject({ ...RegisterForm.entries, joinCode: v.pipe(v.string(), v.trim()) });

export interface RegistrationFormProps {
  /** How the school gives accounts: `open`, `code` or `closed`; unknown counts as open. */
  registration?: string | undefined;
  /** Of the class that the visitor came for; empty: none. */
  joinCode?: string;
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
}

/** A new account; the server signs it in at once. */
export function RegistrationForm({
  registration = 'open',
  joinCode: known = '',
  onSignedIn,
}: RegistrationFormProps) {
  // The server may ask for the code before its setting is known here.
  const [isAsked, setAsked] = useState(false);
  const needsCode = registration === 'code' || isAsked;
  const send = async ({ joinCode, ...person }: v.InferOutput<typeof Form>) => {
    try {
      const body = { ...person, ...(needsCode && { joinCode }) };
      await onSignedIn(await call(register, { body }));
    } catch (error) {
      if (signInProblem(error, ['joinCode']).fields.size > 0) setAsked(true);
      throw error;
    }
  };
  const initial = { userName: '', email: '', password: '', joinCode: known };
  const { form, Form: FormBox, Field, problem, submit } = useAuthForm(Form, initial, send);
  const isSending = useSignalValue(form.submitting);
  if (registration === 'closed')
    return <InlineNote>Регистрация закрыта. Учётную запись выдаёт школа.</InlineNote>;
  return (
    <FormBox onSubmit={submit} className={classes.form} noValidate>
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
      <div hidden={!needsCode}>
        <Field name="joinCode">
          {(field, inputProps) => (
            <FormField
              field={field}
              inputProps={inputProps}
              label="Код класса"
              description="Его сообщает преподаватель"
              type="text"
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      <SubmitRow label="Зарегистрироваться" isSending={isSending} problem={problem} />
    </FormBox>
  );
}
