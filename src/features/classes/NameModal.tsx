import { useState } from 'react';
import * as v from 'valibot';
import { GroupName } from '#contract/groups.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';

const Form = v.object({ name: GroupName });

export interface NameModalProps {
  opened: boolean;
  onClose: () => void;
  /** Title of the modal. */
  title: string;
  /** The current name. */
  initial: string;
  submit: string;
  /** Rejects with `ApiFailure`. */
  save: (name: string) => Promise<void>;
}

interface NameFormProps extends Pick<NameModalProps, 'initial' | 'submit' | 'save'> {
  onDirty: (isDirty: boolean) => void;
}

function NameForm({ initial, submit, save, onDirty }: NameFormProps) {
  const form = useAppForm({
    schema: Form,
    initialValues: { name: initial },
    send: ({ name }) => save(name),
  });
  return (
    <AppForm of={form} onDirty={onDirty}>
      <FormField
        of={form}
        name="name"
        data-autofocus
        label="Название класса"
        description="Например, 9А или «Физика, вторая группа»"
        type="text"
        autoComplete="off"
      />
      <FormFoot of={form} label={submit} fullWidth />
    </AppForm>
  );
}

/** Asks for the name of a new class, or for a new name. */
export function NameModal({ opened, onClose, title, ...form }: NameModalProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={title}
      isDirty={isDirty}
      unsaved="Введённое название ещё не сохранено и пропадёт."
    >
      <NameForm {...form} onDirty={setDirty} />
    </FormModal>
  );
}
