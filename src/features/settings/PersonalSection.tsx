import { ActionIcon, Button, Flex, Stack, Text } from '@mantine/core';
import { FieldArray, remove, type FieldArrayStore, type FormStore } from '@modular-forms/react';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { PeoplePicker } from '#app/ui/forms/PeoplePicker.tsx';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { writeList } from '#app/lib/write-form.ts';
import type { PersonalDraft } from './settings-draft.ts';
import { FIELD_LABELS } from './messages.ts';
import { usePickable } from './use-pickable.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const NAME = 'personalTerms';
type Terms = { [NAME]: PersonalDraft[] };

/** A value that is not typed: only what is wrong with it is shown. */
const ErrorOf = ({ error }: { error?: string }) => <FieldError>{error}</FieldError>;

function Rows({
  settings: { form, draft },
  store,
  list,
}: {
  settings: SettingsForm;
  store: FormStore<Terms>;
  list: FieldArrayStore<Terms, typeof NAME>;
}) {
  const items = useSignalValue(list.items);
  return (
    <>
      {items.map((_, index) => {
        const at = `${NAME}.${index}` as const;
        const { userName = '' } = draft.personalTerms[index] ?? {};
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a field cannot change its name, which has the number
          <FieldGroup key={index} label={userName}>
            <FormField of={form} name={`${at}.userId`} component={ErrorOf} />
            <FormField of={form} name={`${at}.userName`} component={ErrorOf} />
            <Flex align="flex-start" gap="sm">
              <FormField
                of={form}
                name={`${at}.extraMinutes`}
                component={NumberField}
                flex={1}
                miw={0}
                label="Ещё минут"
              />
              <FormField
                of={form}
                name={`${at}.attemptsCount`}
                component={NumberField}
                flex={1}
                miw={0}
                label="Попыток"
                placeholder="как у всех"
              />
              <ActionIcon
                mt={30}
                aria-label={`Убрать личные условия: ${userName}`}
                onClick={() => remove(store, NAME, { at: index })}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </Flex>
          </FieldGroup>
        );
      })}
      <FieldError>{useSignalValue(list.error)}</FieldError>
    </>
  );
}

/** Extra time or attempts for single students. */
export function PersonalSection({ settings }: { settings: SettingsForm }) {
  const [isPicking, setPicking] = useState(false);
  const { people, problem, nobody } = usePickable('people', isPicking);
  const terms = settings.draft.personalTerms;
  const store = settings.form.store as unknown as FormStore<Terms>;
  const newTerm = (userId: string): PersonalDraft => ({
    userId,
    userName: people?.find(({ id }) => id === userId)?.name ?? '',
    extraMinutes: '0',
    attemptsCount: '',
  });
  return (
    <SettingsSection id="personal" heading={FIELD_LABELS.personalTerms}>
      <Text size="sm" c="dimmed" textWrap="pretty">
        Больше времени или другое число попыток для отдельных учеников. Действует на попытки,
        которые ещё не начаты.
      </Text>
      <Stack>
        <FieldArray of={store} name={NAME}>
          {(list) => <Rows settings={settings} store={store} list={list} />}
        </FieldArray>
      </Stack>
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
        empty={nobody}
        picked={terms.map(({ userId }) => userId)}
        onPick={(ids) =>
          writeList(
            store,
            NAME,
            ids.map((id) => terms.find(({ userId }) => userId === id) ?? newTerm(id)),
          )
        }
      />
    </SettingsSection>
  );
}
