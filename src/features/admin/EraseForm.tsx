import { Stack } from '@mantine/core';
import * as v from 'valibot';
import { eraseUser, type AdminUser } from '#contract/admin.ts';
import { call } from '#app/api/call.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
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
  type TeachingValues,
} from './TeachingFields.tsx';

const plain = (text: string) =>
  text.trim().toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ');

export interface EraseFormProps {
  user: AdminUser;
  onErased: () => void;
  onKeep: () => void;
}

const NO_TEACHING: Teaching = {
  tests: 0,
  groups: 0,
  bankEntries: 0,
  templates: 0,
  runningAttempts: 0,
  successors: [],
};

type EraseValues = TeachingValues & { name: string };

const LEFT: Readonly<Record<TeachingValues['fate'] | 'none', string>> = {
  none: 'поставленные оценки и записи журнала',
  pass: 'поставленные оценки и записи журнала',
  archive: 'тесты, классы, банк и шаблоны в архиве, поставленные оценки и записи журнала',
  erase:
    'созданные тесты, которые проходили другие, вместе с их результатами, классы с учениками и поставленные оценки',
};

/** Confirms the erasure of an account by typing its name. */
function LoadedForm({
  user,
  onErased,
  onKeep,
  teaching,
}: EraseFormProps & { teaching: Teaching | null }) {
  const isName = (typed: string) => plain(typed) === plain(user.userName);
  const of = teaching ?? NO_TEACHING;
  const { fate, onValues } = useFate(of);
  const form = useAppForm({
    schema: v.pipe(
      v.object({
        ...teachingEntries,
        fate: v.optional(teachingEntries.fate, 'erase'),
        name: v.pipe(v.string(), v.check(isName, 'Имя не совпадает')),
      }),
      v.forward(
        v.check((values: EraseValues) => hasSuccessor(values), NO_SUCCESSOR),
        ['successorId'],
      ),
    ),
    initialValues: { ...initialTeaching(of), name: '' },
    onValues,
    send: async (values) => {
      const query =
        values.fate === 'pass'
          ? { successorId: values.successorId }
          : values.fate === 'archive'
            ? { archive: '1' as const }
            : {};
      await call(eraseUser, { params: { userId: user.userId }, query });
      onErased();
    },
  });
  const chosen = teaching === null ? 'none' : fate;
  return (
    <AppForm of={form}>
      {teaching && <TeachingFields of={form} teaching={teaching} fate={fate} mayErase />}
      <Stack gap="sm">
        <p>Останутся без имени: {LEFT[chosen]}.</p>
        <p>
          Пропадут навсегда: учётная запись, входы на всех устройствах, попытки, ответы, файлы
          {chosen === 'erase'
            ? ', проекты, банк вопросов и тесты, которых никто не проходил.'
            : ' и проекты.'}
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

function TeacherForm(props: EraseFormProps) {
  const { data, problem, retry } = usePageQuery(teachingQuery(props.user.userId));
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  if (data === undefined) return <RowsSkeleton rows={3} />;
  return <LoadedForm {...props} teaching={data} />;
}

/** Confirms an erasure. An owner of tests or classes passes them to a successor, archives or erases them. */
export function EraseForm(props: EraseFormProps) {
  if (props.user.ownsTeaching) return <TeacherForm {...props} />;
  return <LoadedForm {...props} teaching={null} />;
}
