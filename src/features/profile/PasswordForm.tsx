import { Text } from '@mantine/core';
import { reset } from '@modular-forms/react';
import { useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { changePassword, PasswordBody } from '#contract/profile.ts';
import { formatNumber } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { NEW_PASSWORD_HINT } from '#app/lib/password-hint.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { sessionsQuery } from './queries.ts';

const Form = v.pipe(
  v.object({
    ...PasswordBody.entries,
    repeated: v.pipe(v.string(), v.nonEmpty('Повторите новый пароль')),
  }),
  v.forward(
    v.check(({ newPassword, repeated }) => newPassword === repeated, 'Пароли не совпадают'),
    ['repeated'],
  ),
);

const passwordChangedMessage = (ended: number): string =>
  ended === 0
    ? 'Пароль изменён'
    : `Пароль изменён. Входов на других устройствах завершено: ${formatNumber(ended)}`;

/** Changes the own password; other devices have to sign in again. */
export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const form = useAppForm({
    schema: Form,
    initialValues: { currentPassword: '', newPassword: '', repeated: '' },
    codes: { WRONG_PASSWORD: { field: 'currentPassword' } },
    send: async ({ currentPassword, newPassword }) => {
      const { endedSessions } = await call(changePassword, {
        body: { currentPassword, newPassword },
      });
      reset(form.store);
      void client.invalidateQueries(sessionsQuery);
      return passwordChangedMessage(endedSessions);
    },
  });
  return (
    <AppForm of={form}>
      {/* User name for password managers. */}
      <input type="text" hidden readOnly value={email} autoComplete="username" />
      <FormField
        of={form}
        name="currentPassword"
        label="Нынешний пароль"
        type="password"
        autoComplete="current-password"
      />
      <FormField
        of={form}
        name="newPassword"
        label="Новый пароль"
        description={NEW_PASSWORD_HINT}
        type="password"
        autoComplete="new-password"
      />
      <FormField
        of={form}
        name="repeated"
        label="Новый пароль ещё раз"
        type="password"
        autoComplete="new-password"
      />
      <Text size="sm" c="dimmed">
        На этом устройстве вы останетесь, на остальных придётся войти заново. Неотправленные ответы
        на них не пропадут: они уйдут после входа.
      </Text>
      <FormFoot of={form} label="Изменить пароль" />
    </AppForm>
  );
}
