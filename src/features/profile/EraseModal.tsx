import { Stack } from '@mantine/core';
import { useCallback } from 'react';
import * as v from 'valibot';
import type { User } from '#contract/auth.ts';
import { eraseOwnAccount, PasswordBody } from '#contract/profile.ts';
import { ANSWERS, formatCount, plural } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { useOutboxValue } from '#app/lib/use-outbox-value.ts';
import type { Outbox } from '#app/outbox/outbox.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';

export interface EraseModalProps {
  user: User;
  opened: boolean;
  onClose: () => void;
  onErased: () => void;
}

const Form = v.object({ password: PasswordBody.entries.currentPassword });

function EraseForm({ user, onClose, onErased }: Omit<EraseModalProps, 'opened'>) {
  const { userId } = user;
  const countUnsent = useCallback((outbox: Outbox) => outbox.unsentCount(userId), [userId]);
  const unsent = useOutboxValue(countUnsent, 0);
  const form = useAppForm({
    schema: Form,
    initialValues: { password: '' },
    codes: { WRONG_PASSWORD: { field: 'password' } },
    send: async (body) => {
      await call(eraseOwnAccount, { body });
      onErased();
    },
  });
  return (
    <AppForm of={form}>
      <Stack gap="sm">
        <p>
          Останутся без вашего имени: созданные вами тесты, которые проходили другие, вместе с их
          результатами, классы с учениками и поставленные вами оценки.
        </p>
        <p>
          Пропадут навсегда: учётная запись, входы на всех устройствах, ваши попытки, ответы, файлы,
          проекты, банк вопросов и тесты, которых никто не проходил.
        </p>
      </Stack>
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
      <FormField
        of={form}
        name="password"
        label="Ваш пароль"
        description="Чтобы никто другой не сделал этого за вас"
        type="password"
        autoComplete="current-password"
      />
      <FormFoot of={form} label="Стереть навсегда" fullWidth onKeep={onClose} />
    </AppForm>
  );
}

/** Asks for the password before erasing the own account, and lists what is deleted and what stays. */
export function EraseModal({ opened, ...form }: EraseModalProps) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Стереть учётную запись?">
      <EraseForm {...form} />
    </Modal>
  );
}
