import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FactorRequirements, setFactorRequirements } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { showReply } from '#app/lib/show-reply.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { requirementsQuery } from './queries.ts';

export interface RequirementsModalProps {
  opened: boolean;
  onClose: () => void;
  /** Called with the success message. */
  onSaved: (message: string) => void;
}

function RequirementsForm({
  saved,
  onSaved,
}: { saved: FactorRequirements } & Pick<RequirementsModalProps, 'onSaved'>) {
  const client = useQueryClient();
  const form = useAppForm({
    schema: FactorRequirements,
    initialValues: saved,
    send: async (body) => {
      const requirements = await call(setFactorRequirements, { body });
      await showReply(client, requirementsQuery.queryKey, requirements);
      onSaved('Требования ко входу сохранены');
    },
  });
  return (
    <AppForm of={form}>
      <p>
        Кроме пароля нужен код из приложения на телефоне или ключ входа. У кого его ещё нет, тот
        войдёт по паролю и сначала настроит второй шаг; до этого остальные разделы закрыты.
      </p>
      <FormField
        of={form}
        component={SwitchField}
        name="teacher"
        label="Обязателен для преподавателей"
      />
      <FormField
        of={form}
        component={SwitchField}
        name="admin"
        label="Обязателен для администраторов"
        description="Для вас тоже"
      />
      <Text size="sm" c="dimmed">
        Учеников это не касается: они входят по паролю.
      </Text>
      <FormFoot of={form} label="Сохранить" fullWidth />
    </AppForm>
  );
}

function Content({ onSaved }: Pick<RequirementsModalProps, 'onSaved'>) {
  const { data, problem, retry } = usePageQuery(requirementsQuery);
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={2} />;
  return <RequirementsForm saved={data} onSaved={onSaved} />;
}

/** The roles that require a second factor. */
export function RequirementsModal({ opened, onClose, onSaved }: RequirementsModalProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Вход в два шага">
      <Content onSaved={onSaved} />
    </Modal>
  );
}
