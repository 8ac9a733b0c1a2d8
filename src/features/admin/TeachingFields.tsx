import type { FormStore } from '@modular-forms/react';
import { useState } from 'react';
import * as v from 'valibot';
import type { getTeaching, Successor } from '#contract/admin.ts';
import { ROLE } from '#contract/auth.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ATTEMPTS, formatCount, plural } from '#domain/format.ts';
import { formatTeaching } from '#domain/format-teaching.ts';
import { roleLabel } from '#domain/labels.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { ChoiceCards, type ChoiceCardsProps } from './ChoiceCards.tsx';

export type Teaching = ReplyOf<typeof getTeaching>;

const FATES = ['pass', 'archive', 'erase'] as const;
type Fate = (typeof FATES)[number];

const CHOICES: Readonly<Record<Fate, { label: string; description: string }>> = {
  pass: {
    label: 'Передать другому преподавателю',
    description:
      'тесты с попытками, оценками и очередью проверки, классы, банк вопросов и шаблоны; прежний владелец их больше не увидит',
  },
  archive: {
    label: 'Убрать в архив',
    description:
      'новых попыток и вступления в классы по коду не будет; результаты, банк и шаблоны сохранятся, передать их можно и потом',
  },
  erase: {
    label: 'Стереть',
    description:
      'банк, шаблоны и тесты, которых никто не проходил, пропадут навсегда; остальное останется без имени',
  },
};

/** The fields of the choice, for the schema of a form. */
export const teachingEntries = {
  fate: v.picklist(FATES),
  /** The select is not shown with other choices. */
  successorId: v.optional(v.string(), ''),
};
export type TeachingValues = v.InferOutput<v.ObjectSchema<typeof teachingEntries, undefined>>;

export const hasSuccessor = ({ fate, successorId }: TeachingValues): boolean =>
  fate !== 'pass' || successorId !== '';
export const NO_SUCCESSOR = 'Выберите, кому передать';

export const initialTeaching = ({ successors }: Teaching): TeachingValues => ({
  fate: successors.length > 0 ? 'pass' : 'archive',
  successorId: '',
});

/** The chosen fate, for its further fields. `onValues` is for the form, which may not show the choice. */
export function useFate(teaching: Teaching) {
  const [fate, setFate] = useState(initialTeaching(teaching).fate);
  return { fate, onValues: (values: { fate?: Fate }) => setFate(values.fate ?? fate) };
}

/** Namesakes are listed with their e-mail, and administrators with their role. */
function successorChoices(successors: readonly Successor[]) {
  const label = ({ userName, email, role }: Successor) => {
    const isNamesake = successors.filter((each) => each.userName === userName).length > 1;
    const parts = [
      userName,
      ...(role === ROLE.admin ? [roleLabel(role)] : []),
      ...(isNamesake ? [email] : []),
    ];
    return parts.join(' · ');
  };
  return [
    { value: '', label: 'Не выбрано' },
    ...successors.map((each) => ({ value: each.userId, label: label(each) })),
  ];
}

function FateChoice({
  fates,
  ...field
}: Omit<ChoiceCardsProps<Fate>, 'label' | 'name' | 'choices'> & { fates: readonly Fate[] }) {
  const choices = fates.map((value) => ({ value, ...CHOICES[value] }));
  return <ChoiceCards {...field} label="Тесты, классы и банк" name="fate" choices={choices} />;
}

export interface TeachingFieldsProps<Values extends TeachingValues> {
  of: { store: FormStore<Values> };
  teaching: Teaching;
  fate: Fate;
  /** With an erasure the property may be erased, too. */
  mayErase?: boolean;
}

/** Decides what happens to the tests, classes, bank and templates of an account, and who gets them. */
export function TeachingFields<Values extends TeachingValues>({
  of,
  teaching,
  fate,
  mayErase = false,
}: TeachingFieldsProps<Values>) {
  const { successors, runningAttempts } = teaching;
  const fates = FATES.filter(
    (each) => (each !== 'pass' || successors.length > 0) && (each !== 'erase' || mayErase),
  );
  return (
    <>
      <div>
        <p>Здесь: {formatTeaching(teaching)}.</p>
        {runningAttempts > 0 && (
          <p>
            Сейчас {plural(runningAttempts, ['идёт', 'идут', 'идут'])}{' '}
            {formatCount(runningAttempts, ATTEMPTS)}: их можно закончить в любом случае.
          </p>
        )}
      </div>
      <FormField of={of} component={FateChoice} name="fate" fates={fates} />
      {fate === 'pass' && (
        <FormField
          of={of}
          component={SelectField}
          name="successorId"
          label="Кому"
          native
          choices={successorChoices(successors)}
        />
      )}
    </>
  );
}
