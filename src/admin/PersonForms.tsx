import { useState } from 'react';
import * as v from 'valibot';
import { NewUserBody, type AdminUser } from '#contract/admin.ts';
import { NewPassword, ROLE, type RoleNumber } from '#contract/auth.ts';
import { useSend } from '#app/offline/use-send.ts';
import { FormFoot } from '#app/ui/FormFoot.tsx';
import { RoleBadge } from '#app/ui/RoleBadge.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import { useFields } from '#app/ui/use-fields.ts';
import { useToldDirty } from '#app/ui/use-told-dirty.ts';
import classes from './Admin.module.css';
import { PERSON_CODES, problemWords } from './problem-words.ts';

const MAY: Readonly<Record<RoleNumber, string>> = {
  [ROLE.student]: 'проходит тесты и ведёт карточки своих проектов',
  [ROLE.teacher]: 'ещё и создаёт тесты, проверяет ответы, ведёт классы',
  [ROLE.admin]: 'ещё и управляет людьми и витриной, видит тесты всех',
};
const ROLES = [ROLE.student, ROLE.teacher, ROLE.admin];

/** One of the three roles, each with what it may. */
export function RoleChoice({
  role,
  onChange,
}: {
  role: RoleNumber;
  onChange: (role: RoleNumber) => void;
}) {
  return (
    <fieldset className={classes.choices}>
      <legend>Роль</legend>
      {ROLES.map((one) => (
        <label key={one} className={classes.choice}>
          <input type="radio" name="role" checked={role === one} onChange={() => onChange(one)} />
          <span className={classes.person}>
            <RoleBadge role={one} />
            <span className={classes.quiet}>{MAY[one]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** How a form about an account says what was refused. */
const REFUSALS = { codes: PERSON_CODES, words: problemWords };

interface PersonFormProps<Saved> {
  /** Rejects with what the server said. */
  save: (saved: Saved) => Promise<void>;
  /** Whether something is typed that is not on its way. */
  onDirty: (isDirty: boolean) => void;
}

const { userName, email } = NewUserBody.entries;
const Person = v.object({ userName, email });
type Person = v.InferOutput<typeof Person>;

/** Name and e-mail of an account; only what was changed is sent. */
export function PersonForm({
  user,
  save,
  onDirty,
}: PersonFormProps<Partial<Person>> & { user: AdminUser }) {
  const form = useFields(Person, { userName: user.userName, email: user.email });
  const { isSending, problem, submit } = useSend({
    ...REFUSALS,
    show: form.show,
    send: async () => {
      const person = form.check();
      if (person === null) return null;
      await save({
        ...(person.userName !== user.userName && { userName: person.userName }),
        ...(person.email !== user.email && { email: person.email }),
      });
      return null;
    },
  });
  const isChanged = form.values.userName !== user.userName || form.values.email !== user.email;
  useToldDirty(isChanged && !isSending, onDirty);
  return (
    <form
      className={classes.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField {...form.field('userName')} label="Имя (логин)" type="text" autoComplete="off" />
      <TextField
        {...form.field('email')}
        label="Почта"
        description="С нею входят на сайт"
        type="email"
        autoComplete="off"
        spellCheck={false}
      />
      <FormFoot fullWidth label="Сохранить" isSending={isSending} problem={problem} />
    </form>
  );
}

const NewPerson = v.object({
  ...Person.entries,
  password: v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? undefined : text)),
    v.optional(NewPassword),
  ),
});
export type NewPerson = v.InferOutput<typeof NewPerson> & { role: RoleNumber };

/** A new account; without a password the server makes one. */
export function NewPersonForm({ save, onDirty }: PersonFormProps<NewPerson>) {
  const [role, setRole] = useState<RoleNumber>(ROLE.student);
  const form = useFields(NewPerson, { userName: '', email: '', password: '' });
  const { isSending, problem, submit } = useSend({
    ...REFUSALS,
    show: form.show,
    send: async () => {
      const person = form.check();
      if (person !== null) await save({ ...person, role });
      return null;
    },
  });
  const isFilled = Object.values(form.values).some((typed) => typed !== '');
  useToldDirty(isFilled && !isSending, onDirty);
  return (
    <form
      className={classes.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        {...form.field('userName')}
        data-autofocus
        label="Имя (логин)"
        description="Например, Иванова Мария"
        type="text"
        autoComplete="off"
      />
      <TextField
        {...form.field('email')}
        label="Почта"
        description="С нею входят на сайт"
        type="email"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...form.field('password')}
        label="Пароль, если нужен свой"
        description="Оставьте пустым: сайт придумает пароль и покажет его один раз. Свой: не менее 6 символов, среди них заглавная латинская буква и цифра"
        type="password"
        autoComplete="new-password"
      />
      <RoleChoice role={role} onChange={setRole} />
      <FormFoot fullWidth label="Создать" isSending={isSending} problem={problem} />
    </form>
  );
}
