import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { PeoplePicker } from '#app/ui/forms/PeoplePicker.tsx';
import type { PersonalDraft } from './settings-draft.ts';
import classes from './settings.module.css';
import { FIELD_LABELS } from './messages.ts';
import { usePeople } from './use-pickable.ts';
import type { SettingsForm } from './use-settings-form.ts';

/** Extra time or attempts for single students. */
export function PersonalSection({ form }: { form: SettingsForm }) {
  const { draft, errors, set, check } = form;
  const [isPicking, setPicking] = useState(false);
  const { people, problem } = usePeople(isPicking);
  const terms = draft.personalTerms;
  const change = (userId: string, part: Partial<PersonalDraft>) =>
    set(
      'personalTerms',
      terms.map((term) => (term.userId === userId ? { ...term, ...part } : term)),
    );
  const errorOf = (index: number, name: string) => errors.get(`personalTerms.${index}.${name}`);
  return (
    <section className={classes.section} aria-labelledby="personal" data-field="personalTerms">
      <h2 id="personal">{FIELD_LABELS.personalTerms}</h2>
      <p className={classes.quiet}>
        Больше времени или другое число попыток для отдельных учеников. Действует на попытки,
        которые ещё не начаты.
      </p>
      {terms.map((term, index) => (
        <FieldGroup key={term.userId} label={term.userName} error={errorOf(index, 'userId')}>
          <div className={classes.term}>
            <NumberField
              label="Ещё минут"
              value={term.extraMinutes}
              error={errorOf(index, 'extraMinutes')}
              onChange={(event) => change(term.userId, { extraMinutes: event.currentTarget.value })}
              onBlur={() => check('personalTerms')}
            />
            <NumberField
              label="Попыток"
              placeholder="как у всех"
              value={term.attemptsCount}
              error={errorOf(index, 'attemptsCount')}
              onChange={(event) =>
                change(term.userId, { attemptsCount: event.currentTarget.value })
              }
              onBlur={() => check('personalTerms')}
            />
            <ActionIcon
              mt={30}
              aria-label={`Убрать личные условия: ${term.userName}`}
              onClick={() =>
                set(
                  'personalTerms',
                  terms.filter(({ userId }) => userId !== term.userId),
                )
              }
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </div>
        </FieldGroup>
      ))}
      <FieldError>{errors.get('personalTerms')}</FieldError>
      <div>
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => setPicking(true)}
        >
          Добавить ученика
        </Button>
      </div>
      <PeoplePicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        title="Кому дать свои условия?"
        people={people}
        problem={problem}
        empty="Пока никто не зарегистрирован."
        picked={terms.map(({ userId }) => userId)}
        onPick={(ids) =>
          set(
            'personalTerms',
            ids.map(
              (userId) =>
                terms.find((term) => term.userId === userId) ?? {
                  userId,
                  userName: people?.find(({ id }) => id === userId)?.name ?? '',
                  extraMinutes: '0',
                  attemptsCount: '',
                },
            ),
          )
        }
      />
    </section>
  );
}
