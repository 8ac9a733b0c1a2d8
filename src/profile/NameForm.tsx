import type { User } from '#contract/auth.ts';
import { ProfileBody, updateProfile } from '#contract/profile.ts';
import { call } from '#app/api/call.ts';
import { useSend } from '#app/offline/use-send.ts';
import { FormFoot } from '#app/ui/FormFoot.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import classes from './Profile.module.css';

export interface NameFormProps {
  user: User;
  onChanged: (user: User) => void;
}

/** The own name; teachers and the header call the person by it. */
export function NameForm({ user, onChanged }: NameFormProps) {
  const form = useFields(ProfileBody, { userName: user.userName });
  const { submit, ...sending } = useSend({
    show: form.show,
    send: async () => {
      const body = form.check();
      if (body === null) return null;
      if (body.userName === user.userName) return 'Имя осталось прежним';
      const changed = await call(updateProfile, { body });
      form.reset({ userName: changed.userName });
      onChanged(changed);
      return 'Имя изменено';
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
      <TextField
        {...form.field('userName')}
        label="Имя (логин)"
        description="Так вас видят преподаватели и другие ученики. Пока идёт тест, имя не изменить"
        type="text"
        autoComplete="name"
      />
      <FormFoot label="Сохранить имя" {...sending} />
    </form>
  );
}
