import { useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { changePassword, PasswordBody } from '#contract/profile.ts';
import { formatNumber } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { useSend } from '#app/offline/use-send.ts';
import { FormFoot } from '#app/ui/FormFoot.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import classes from './Profile.module.css';
import { sessionsQuery } from './queries.ts';

const EMPTY = { currentPassword: '', newPassword: '', repeated: '' };

const Form = v.pipe(
  v.object({
    ...PasswordBody.entries,
    repeated: v.pipe(v.string(), v.nonEmpty('Повторите новый пароль')),
  }),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['repeated']],
      ({ newPassword, repeated }) => newPassword === repeated,
      'Пароли не совпадают',
    ),
    ['repeated'],
  ),
);

const CODES = { WRONG_PASSWORD: { field: 'currentPassword' } };

const doneWords = (ended: number): string =>
  ended === 0
    ? 'Пароль изменён'
    : `Пароль изменён. Входов на других устройствах завершено: ${formatNumber(ended)}`;

/** The own password; the other devices have to sign in again. */
export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient();
  const form = useFields(Form, EMPTY);
  const { submit, ...sending } = useSend({
    show: form.show,
    codes: CODES,
    send: async () => {
      const passwords = form.check();
      if (passwords === null) return null;
      const { currentPassword, newPassword } = passwords;
      const { endedSessions } = await call(changePassword, {
        body: { currentPassword, newPassword },
      });
      form.reset(EMPTY);
      void client.invalidateQueries(sessionsQuery);
      return doneWords(endedSessions);
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {/* Password managers ask whose password it is. */}
      <input type="text" hidden readOnly value={email} autoComplete="username" />
      <TextField
        {...form.field('currentPassword')}
        label="Нынешний пароль"
        type="password"
        autoComplete="current-password"
      />
      <TextField
        {...form.field('newPassword')}
        label="Новый пароль"
        description="Не менее 6 символов, среди них заглавная латинская буква и цифра"
        type="password"
        autoComplete="new-password"
      />
      <TextField
        {...form.field('repeated')}
        label="Новый пароль ещё раз"
        type="password"
        autoComplete="new-password"
      />
      <p className={classes.quiet}>
        На этом устройстве вы останетесь, на остальных придётся войти заново. Неотправленные ответы
        на них не пропадут: они уйдут после входа.
      </p>
      <FormFoot label="Изменить пароль" {...sending} />
    </form>
  );
}
