import { ActionIcon, Button, Flex, Group, Stack, Text } from '@mantine/core';
import { FieldArray, remove, type FieldArrayStore, type FormStore } from '@modular-forms/react';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { getGroup } from '#contract/groups.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { PeoplePicker, type PickableKind } from '#app/ui/forms/PeoplePicker.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { useSingleRemoval } from '#app/ui/forms/use-single-removal.ts';
import { useSignalValue } from '#app/ui/forms/use-signal-value.ts';
import { writeList } from '#app/lib/write-form.ts';
import type { PersonalDraft } from './settings-draft.ts';
import { FIELD_LABELS } from './messages.ts';
import { usePickable } from './use-pickable.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const NAME = 'personalTerms';
type Terms = { [NAME]: PersonalDraft[] };

const datesOf = ({ startTestTime = '', endTestTime = '' }: Partial<PersonalDraft> = {}) => ({
  startTestTime,
  endTestTime,
});

/** The error of a value that is not typed. */
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
  const removeOne = useSingleRemoval();
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
                onClick={() => removeOne(() => remove(store, NAME, { at: index }))}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </Flex>
            <Flex align="flex-start" gap="sm" wrap="wrap">
              <FormField
                of={form}
                name={`${at}.startTestTime`}
                component={DateTimeField}
                flex="1 1 12rem"
                label="Открыть для него"
              />
              <FormField
                of={form}
                name={`${at}.endTestTime`}
                component={DateTimeField}
                flex="1 1 12rem"
                label="Закрыть для него"
              />
            </Flex>
            {index === 0 && items.length > 1 && (
              <QuietButton
                onClick={() =>
                  writeList(
                    store,
                    NAME,
                    draft.personalTerms.map((term, place) =>
                      place === 0 ? term : { ...term, ...datesOf(draft.personalTerms[0]) },
                    ),
                  )
                }
              >
                Такие же сроки всем в списке
              </QuietButton>
            )}
          </FieldGroup>
        );
      })}
      <FieldError>{useSignalValue(list.error)}</FieldError>
    </>
  );
}

type Person = Pick<PersonalDraft, 'userId' | 'userName'>;

const newTerm = ({ userId, userName }: Person): PersonalDraft => ({
  userId,
  userName,
  extraMinutes: '0',
  attemptsCount: '',
  startTestTime: '',
  endTestTime: '',
});

/** Extra time, attempts or dates for single students, or for those of a class. */
export function PersonalSection({ settings }: { settings: SettingsForm }) {
  const [picking, setPicking] = useState<PickableKind | null>(null);
  const people = usePickable('people', picking === 'people');
  const classes = usePickable('classes', picking === 'classes');
  const terms = settings.draft.personalTerms;
  const store = settings.form.store as unknown as FormStore<Terms>;
  const set = (list: readonly Person[]) =>
    writeList(
      store,
      NAME,
      list.map((one) => terms.find(({ userId }) => userId === one.userId) ?? newTerm(one)),
    );
  const addClasses = useMutation({
    mutationFn: (ids: readonly string[]) =>
      Promise.all(ids.map((groupId) => call(getGroup, { params: { groupId } }))),
    onSuccess: (found) => {
      const members = found.flatMap((group) => group.members);
      const fresh = members.filter(({ userId }) => !terms.some((term) => term.userId === userId));
      set([...terms, ...new Map(fresh.map((member) => [member.userId, member])).values()]);
    },
  });
  return (
    <SettingsSection isLast id="personal" heading={FIELD_LABELS.personalTerms}>
      <Text size="sm" c="dimmed" textWrap="pretty">
        Больше времени, другое число попыток или свои сроки, например для пересдачи. Пустой срок
        такой же, как у всех. Действует на попытки, которые ещё не начаты.
      </Text>
      <Stack>
        <FieldArray of={store} name={NAME}>
          {(list) => <Rows settings={settings} store={store} list={list} />}
        </FieldArray>
      </Stack>
      <Group gap="xs">
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => setPicking('people')}
        >
          Добавить ученика
        </Button>
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          loading={addClasses.isPending}
          onClick={() => setPicking('classes')}
        >
          Добавить класс
        </Button>
      </Group>
      <div role="alert">
        {addClasses.error && <FieldError>{describeFailure(addClasses.error)}</FieldError>}
      </div>
      <PeoplePicker
        opened={picking === 'people'}
        onClose={() => setPicking(null)}
        title="Кому дать свои условия?"
        people={people.people}
        problem={people.problem}
        empty={people.nobody}
        picked={terms.map(({ userId }) => userId)}
        onPick={(ids) =>
          set(
            ids.map((userId) => ({
              userId,
              userName: people.people?.find(({ id }) => id === userId)?.name ?? '',
            })),
          )
        }
      />
      <PeoplePicker
        opened={picking === 'classes'}
        onClose={() => setPicking(null)}
        title="Какому классу дать свои условия?"
        people={classes.people}
        problem={classes.problem}
        empty={classes.nobody}
        of="classes"
        picked={[]}
        onPick={(ids) => addClasses.mutate(ids)}
      />
    </SettingsSection>
  );
}
