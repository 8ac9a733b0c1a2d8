import * as v from 'valibot';
import { NewUserBody, type AdminUser } from '#contract/admin.ts';
import { ROLE, RoleNumber } from '#contract/auth.ts';
import { NewPassword } from '#contract/registration.ts';
import { NEW_PASSWORD_HINT } from '#app/lib/password-hint.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { RoleBadge } from '#app/ui/data/RoleBadge.tsx';
import { ChoiceCards, type ChoiceCardsProps } from './ChoiceCards.tsx';
import { PERSON_CODES } from './messages.ts';

const MAY: Readonly<Record<RoleNumber, string>> = {
  [ROLE.student]: 'проходит тесты и ведёт карточки своих проектов',
  [ROLE.teacher]: 'ещё и создаёт тесты, проверяет ответы, ведёт классы',
  [ROLE.admin]: 'ещё и управляет людьми и витриной, видит тесты всех',
};
const ROLES = [ROLE.student, ROLE.teacher, ROLE.admin];

/** Role picker: three roles with their permissions. */
export function RoleChoice(
  field: Omit<ChoiceCardsProps<RoleNumber>, 'label' | 'name' | 'choices'>,
) {
  const choices = ROLES.map((value) => ({
    value,
    label: <RoleBadge role={value} />,
    description: MAY[value],
  }));
  return <ChoiceCards {...field} label="Роль" name="role" choices={choices} />;
}

interface PersonFormProps<Saved> {
  /** Rejects with `ApiFailure`. */
  save: (saved: Saved) => Promise<void>;
  /** Whether there is unsubmitted input. */
  onDirty: (isDirty: boolean) => void;
}

const { userName, email } = NewUserBody.entries;
const Person = v.object({ userName, email });
type Person = v.InferOutput<typeof Person>;

const EMAIL = {
  name: 'email',
  label: 'Почта',
  description: 'С нею входят на сайт',
  type: 'email',
  autoComplete: 'off',
} as const;

/** Name and e-mail of an account; only changed fields are sent. */
export function PersonForm({
  user,
  save,
  onDirty,
}: PersonFormProps<Partial<Person>> & { user: AdminUser }) {
  const form = useAppForm({
    schema: Person,
    initialValues: { userName: user.userName, email: user.email },
    codes: PERSON_CODES,
    send: (person) =>
      save({
        ...(person.userName !== user.userName && { userName: person.userName }),
        ...(person.email !== user.email && { email: person.email }),
      }),
  });
  return (
    <AppForm of={form} onDirty={onDirty}>
      <FormField of={form} name="userName" label="Имя (логин)" type="text" autoComplete="off" />
      <FormField of={form} {...EMAIL} />
      <FormFoot of={form} fullWidth label="Сохранить" />
    </AppForm>
  );
}

const NewPerson = v.object({
  ...Person.entries,
  password: v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? undefined : text)),
    v.optional(NewPassword),
  ),
  role: RoleNumber,
});
export type NewPerson = v.InferOutput<typeof NewPerson>;

/** A new account; without a password the server generates one. */
export function NewPersonForm({ save, onDirty }: PersonFormProps<NewPerson>) {
  const form = useAppForm({
    schema: NewPerson,
    initialValues: { userName: '', email: '', password: '', role: ROLE.student },
    codes: PERSON_CODES,
    send: save,
  });
  return (
    <AppForm of={form} onDirty={onDirty}>
      <FormField
        of={form}
        name="userName"
        data-autofocus
        label="Имя (логин)"
        description="Например, Иванова Мария"
        type="text"
        autoComplete="off"
      />
      <FormField of={form} {...EMAIL} />
      <FormField
        of={form}
        name="password"
        label="Пароль, если нужен свой"
        description={`Оставьте пустым: сайт придумает пароль и покажет его один раз. Свой: ${NEW_PASSWORD_HINT.charAt(0).toLowerCase()}${NEW_PASSWORD_HINT.slice(1)}`}
        type="password"
        autoComplete="new-password"
      />
      <FormField of={form} component={RoleChoice} name="role" />
      <FormFoot of={form} fullWidth label="Создать" />
    </AppForm>
  );
}
