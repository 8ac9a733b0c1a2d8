import { useState } from 'react';
import * as v from 'valibot';
import { type SignedIn } from '#contract/auth.ts';
import { RegisterForm, register } from '#contract/registration.ts';
import { call } from '#app/api/call.ts';
import { fieldProblems } from '#app/lib/field-problems.ts';
import { NEW_PASSWORD_HINT } from '#app/lib/password-hint.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { signInMessage } from './sign-in-message.ts';

const Form = v.strictObject({ ...RegisterForm.entries, joinCode: v.pipe(v.string(), v.trim()) });

export interface RegistrationFormProps {
  /** Registration mode of the school: `open`, `code` or `closed`; unknown counts as open. */
  registration?: string | undefined;
  /** Join code of the class; empty: none. */
  joinCode?: string;
  onSignedIn: (signedIn: SignedIn) => void | Promise<void>;
}

/** Registers an account; the server signs it in at once. */
export function RegistrationForm({
  registration = 'open',
  joinCode: known = '',
  onSignedIn,
}: RegistrationFormProps) {
  // The server may require the code before its setting is known here.
  const [isCodeRequired, setCodeRequired] = useState(false);
  const needsCode = registration === 'code' || isCodeRequired;
  const form = useAppForm({
    schema: Form,
    initialValues: { userName: '', email: '', password: '', joinCode: known },
    codes: { EMAIL_TAKEN: { field: 'email' } },
    toMessage: signInMessage,
    send: async ({ joinCode, ...person }) => {
      try {
        const body = { ...person, ...(needsCode && { joinCode }) };
        await onSignedIn(await call(register, { body }));
      } catch (error) {
        if (fieldProblems(error).has('joinCode')) setCodeRequired(true);
        throw error;
      }
    },
  });
  if (registration === 'closed')
    return <InlineNote>Регистрация закрыта. Учётную запись выдаёт школа.</InlineNote>;
  return (
    <AppForm of={form}>
      <FormField
        of={form}
        name="userName"
        required
        label="Имя и фамилия"
        description="Это ваш логин: так вас увидят в списках. Входят по почте."
        type="text"
        autoComplete="name"
      />
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
        description={NEW_PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
      />
      <div hidden={!needsCode}>
        <FormField
          of={form}
          name="joinCode"
          required
          label="Код класса"
          description="Его сообщает преподаватель"
          type="text"
          autoComplete="off"
        />
      </div>
      <FormFoot of={form} label="Зарегистрироваться" fullWidth />
    </AppForm>
  );
}
