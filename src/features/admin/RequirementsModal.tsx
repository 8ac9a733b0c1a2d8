import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setFactorRequirements, type FactorRequirements } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { problemMessage } from './messages.ts';
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
  const [wanted, setWanted] = useState(saved);
  const save = useMutation({
    mutationFn: () => call(setFactorRequirements, { body: wanted }),
    onSuccess: (requirements) => {
      client.setQueryData(requirementsQuery.queryKey, requirements);
      onSaved('Требования ко входу сохранены');
    },
  });
  const problem = problemMessage(save.error);
  return (
    <Stack
      renderRoot={(props) => <form {...props} />}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p>
        Кроме пароля нужен код из приложения на телефоне или ключ входа. У кого его ещё нет, тот
        войдёт по паролю и сначала настроит второй шаг; до этого остальные разделы закрыты.
      </p>
      <SwitchField
        label="Обязателен для преподавателей"
        checked={wanted.teacher}
        onChange={(teacher) => setWanted({ ...wanted, teacher })}
      />
      <SwitchField
        label="Обязателен для администраторов"
        description="Для вас тоже"
        checked={wanted.admin}
        onChange={(admin) => setWanted({ ...wanted, admin })}
      />
      <Text size="sm" c="dimmed">
        Учеников это не касается: они входят по паролю.
      </Text>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button type="submit" fullWidth loading={save.isPending}>
        Сохранить
      </Button>
    </Stack>
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
