import { reset } from '@modular-forms/react';
import type { User } from '#contract/auth.ts';
import { ProfileBody, updateProfile } from '#contract/profile.ts';
import { call } from '#app/api/call.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';

export interface NameFormProps {
  user: User;
  onChanged: (user: User) => void;
}

/** The own name, shown to teachers and in the header. */
export function NameForm({ user: { userName }, onChanged }: NameFormProps) {
  const form = useAppForm({
    schema: ProfileBody,
    initialValues: { userName },
    send: async (body) => {
      if (body.userName === userName) return 'Имя осталось прежним';
      const changed = await call(updateProfile, { body });
      reset(form.store, { initialValues: { userName: changed.userName } });
      onChanged(changed);
      return 'Имя изменено';
    },
  });
  return (
    <AppForm of={form}>
      <FormField
        of={form}
        name="userName"
        label="Имя (логин)"
        description="Так вас видят преподаватели и другие ученики. Пока идёт тест, имя не изменить"
        type="text"
        autoComplete="name"
      />
      <FormFoot of={form} label="Сохранить имя" />
    </AppForm>
  );
}
