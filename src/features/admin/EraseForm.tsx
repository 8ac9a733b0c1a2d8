import { Stack } from '@mantine/core';
import * as v from 'valibot';
import { eraseUser, type AdminUser } from '#contract/admin.ts';
import { call } from '#app/api/call.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';

const plain = (text: string) =>
  text.trim().toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ');

export interface EraseFormProps {
  user: AdminUser;
  onErased: () => void;
  onKeep: () => void;
}

/** Confirms the erasure of an account by typing its name. */
export function EraseForm({ user, onErased, onKeep }: EraseFormProps) {
  const isName = (typed: string) => plain(typed) === plain(user.userName);
  const form = useAppForm({
    schema: v.object({ name: v.pipe(v.string(), v.check(isName, 'Имя не совпадает')) }),
    initialValues: { name: '' },
    send: async () => {
      await call(eraseUser, { params: { userId: user.userId } });
      onErased();
    },
  });
  return (
    <AppForm of={form}>
      <Stack gap="sm">
        <p>
          Останутся без имени: созданные тесты, которые проходили другие, вместе с их результатами,
          классы с учениками и поставленные оценки.
        </p>
        <p>
          Пропадут навсегда: учётная запись, входы на всех устройствах, попытки, ответы, файлы,
          проекты, банк вопросов и тесты, которых никто не проходил.
        </p>
      </Stack>
      <InlineNote tone="bad">
        Вернуть стёртое нельзя. Если данные ещё понадобятся, сначала скачайте их.
      </InlineNote>
      <FormField
        of={form}
        name="name"
        label="Чтобы подтвердить, введите имя"
        description={user.userName}
        type="text"
        autoComplete="off"
      />
      <FormFoot of={form} label="Стереть навсегда" fullWidth onKeep={onKeep} />
    </AppForm>
  );
}
