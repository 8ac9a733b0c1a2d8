import { Text } from '@mantine/core';
import * as v from 'valibot';
import { handOverTeaching, type AdminUser } from '#contract/admin.ts';
import { formatTeaching } from '#domain/format-teaching.ts';
import { call } from '#app/api/call.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { teachingQuery } from './queries.ts';
import {
  hasSuccessor,
  initialTeaching,
  NO_SUCCESSOR,
  teachingEntries,
  TeachingFields,
  useFate,
  type Teaching,
} from './TeachingFields.tsx';

const Form = v.pipe(
  v.object(teachingEntries),
  v.forward(v.check(hasSuccessor, NO_SUCCESSOR), ['successorId']),
);

export interface TeachingFormProps {
  user: AdminUser;
  /** Called with the success message. */
  onDone: (message: string) => void;
}

function LoadedForm({ user, teaching, onDone }: TeachingFormProps & { teaching: Teaching }) {
  const { userId } = user;
  const { fate, onValues } = useFate(teaching);
  const form = useAppForm({
    schema: Form,
    initialValues: initialTeaching(teaching),
    onValues,
    send: async (values) => {
      const successorId = values.fate === 'pass' ? values.successorId : null;
      const counts = await call(handOverTeaching, { params: { userId }, body: { successorId } });
      const passed = formatTeaching(counts);
      const successor = teaching.successors.find((each) => each.userId === successorId);
      if (successorId === null) onDone('Тесты убраны в архив, вступление в классы закрыто');
      else if (passed === '') onDone('Передавать уже нечего');
      else onDone(`Передано: ${passed}. Теперь владеет ${successor?.userName ?? ''}`);
    },
  });
  return (
    <AppForm of={form}>
      <TeachingFields of={form} teaching={teaching} fate={fate} />
      {user.erasedAt === undefined && (
        <Text size="sm" c="dimmed">
          Проекты и собственные попытки остаются за учётной записью: их не передать.
        </Text>
      )}
      <FormFoot of={form} fullWidth label={fate === 'pass' ? 'Передать' : 'Убрать в архив'} />
    </AppForm>
  );
}

/** Passes what a teacher owns to a successor, or archives it. */
export function TeachingForm(props: TeachingFormProps) {
  const { data, problem, retry } = usePageQuery(teachingQuery(props.user.userId));
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={3} />;
  return <LoadedForm {...props} teaching={data} />;
}
