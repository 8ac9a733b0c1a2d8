import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setFactorRequirements, type FactorRequirements } from '#contract/second-factor.ts';
import { call } from '#app/api/call.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import { SwitchField } from '#app/ui/SwitchField.tsx';
import classes from './Admin.module.css';
import { problemWords } from './problem-words.ts';
import { requirementsQuery } from './queries.ts';

export interface RequirementsSheetProps {
  opened: boolean;
  onClose: () => void;
  /** Saved, in words. */
  onSaved: (words: string) => void;
}

function RequirementsForm({
  saved,
  onSaved,
}: { saved: FactorRequirements } & Pick<RequirementsSheetProps, 'onSaved'>) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(saved);
  const save = useMutation({
    mutationFn: () => call(setFactorRequirements, { body: wanted }),
    onSuccess: (requirements) => {
      client.setQueryData(requirementsQuery.queryKey, requirements);
      onSaved('Требования ко входу сохранены');
    },
  });
  const problem = problemWords(save.error);
  return (
    <form
      className={classes.stack}
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
      <p className={classes.quiet}>Учеников это не касается: они входят по паролю.</p>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button type="submit" fullWidth loading={save.isPending}>
        Сохранить
      </Button>
    </form>
  );
}

function Content({ onSaved }: Pick<RequirementsSheetProps, 'onSaved'>) {
  const { data, problem, retry } = usePageQuery(requirementsQuery);
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={2} />;
  return <RequirementsForm saved={data} onSaved={onSaved} />;
}

/** Of which roles a second factor is required. */
export function RequirementsSheet({ opened, onClose, onSaved }: RequirementsSheetProps) {
  return (
    <Sheet opened={opened} onClose={onClose} title="Вход в два шага">
      <Content onSaved={onSaved} />
    </Sheet>
  );
}
