import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import type { User } from '#contract/auth.ts';
import { eraseOwnAccount, PasswordBody } from '#contract/profile.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import classes from './Profile.module.css';
import { useSend } from '#app/offline/use-send.ts';

export interface EraseSheetProps {
  user: User;
  opened: boolean;
  onClose: () => void;
  onErased: () => void;
}

const Form = v.object({ password: PasswordBody.entries.currentPassword });
const CODES = { WRONG_PASSWORD: { field: 'password' } };

/** Answers and finishes of a person that only this device has. */
function useUnsent(owner: string): number {
  const { outbox } = useDevice();
  const [count, setCount] = useState(0);
  useEffect(() => {
    outbox
      .unsentCount(owner)
      .then(setCount, (cause: unknown) => logProblem('Память устройства не прочитать', { cause }));
  }, [outbox, owner]);
  return count;
}

function EraseForm({ user, onClose, onErased }: Omit<EraseSheetProps, 'opened'>) {
  const unsent = useUnsent(user.userId);
  const form = useFields(Form, { password: '' });
  const { submit, isSending, problem } = useSend({
    show: form.show,
    codes: CODES,
    send: async () => {
      const body = form.check();
      if (body === null) return null;
      await call(eraseOwnAccount, { body });
      onErased();
      return null;
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
      <div className={classes.words}>
        <p>
          Останутся без вашего имени: созданные вами тесты, которые проходили другие, вместе с их
          результатами, классы с учениками и поставленные вами оценки.
        </p>
        <p>
          Пропадут навсегда: учётная запись, входы на всех устройствах, ваши попытки, ответы, файлы,
          проекты, банк вопросов и тесты, которых никто не проходил.
        </p>
      </div>
      {unsent > 0 && (
        <InlineNote tone="warn">
          {formatCount(unsent, ANSWERS)} ещё не на сервере и{' '}
          {plural(unsent, ['останется', 'останутся', 'останутся'])} только на этом устройстве: после
          стирания {plural(unsent, ['его', 'их', 'их'])} некому будет отправить.
        </InlineNote>
      )}
      <InlineNote tone="bad">
        Вернуть стёртое нельзя. Если данные ещё понадобятся, сначала скачайте их.
      </InlineNote>
      <TextField
        {...form.field('password')}
        label="Ваш пароль"
        description="Чтобы никто другой не сделал этого за вас"
        type="password"
        autoComplete="current-password"
      />
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button data-autofocus fullWidth onClick={onClose}>
        Оставить
      </Button>
      <Button type="submit" variant="default" fullWidth loading={isSending}>
        Стереть навсегда
      </Button>
    </form>
  );
}

/** Asks for the password before the own account is erased, and says what goes and what stays. */
export function EraseSheet({ opened, ...form }: EraseSheetProps) {
  return (
    <Sheet opened={opened} onClose={form.onClose} title="Стереть учётную запись?">
      <EraseForm {...form} />
    </Sheet>
  );
}
