import { ActionIcon, Box, Button, Flex, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState, type Ref } from 'react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PeoplePicker, type PickableKind } from '#app/ui/forms/PeoplePicker.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { FIELD_LABELS } from './messages.ts';
import type { PickedPeople } from './settings-draft.ts';
import { usePickable } from './use-pickable.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

interface PickedFieldProps {
  kind: PickableKind;
  label: string;
  description?: string;
  /** Text of the empty list. */
  empty: string;
  addLabel: string;
  pickerTitle: string;
  value: readonly PickedPeople[];
  onChange: (value: readonly PickedPeople[]) => void;
  error?: string;
  /** Of the button that opens the picker. */
  ref?: Ref<HTMLButtonElement>;
}

/** The picked people or classes, each with a button that removes it. */
function PickedField({
  kind,
  label,
  description,
  empty,
  addLabel,
  pickerTitle,
  value,
  onChange,
  error,
  ref,
}: PickedFieldProps) {
  const [isPicking, setPicking] = useState(false);
  const { people, problem, nobody } = usePickable(kind, isPicking);
  const nameOf = (id: string) =>
    [...value, ...(people ?? [])].find((one) => one.id === id)?.name ?? '';
  return (
    <FieldGroup label={label} description={description} error={error}>
      {value.length === 0 && (
        <Text size="sm" c="dimmed" textWrap="pretty">
          {empty}
        </Text>
      )}
      {value.length > 0 && (
        <Box component="ul" mb="sm">
          {value.map(({ id, name }) => (
            <Flex
              key={id}
              component="li"
              className="line-below"
              align="center"
              justify="space-between"
              gap="sm"
              mih={48}
            >
              <span>{name}</span>
              <ActionIcon
                aria-label={`Убрать: ${name}`}
                onClick={() => onChange(value.filter((one) => one.id !== id))}
              >
                <Icon of={IconX} />
              </ActionIcon>
            </Flex>
          ))}
        </Box>
      )}
      <Button
        ref={ref}
        variant="default"
        size="sm"
        mt="xs"
        leftSection={<Icon of={IconPlus} />}
        onClick={() => setPicking(true)}
      >
        {addLabel}
      </Button>
      <PeoplePicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        title={pickerTitle}
        people={people}
        problem={problem}
        empty={nobody}
        of={kind}
        picked={value.map(({ id }) => id)}
        onPick={(ids) => onChange(ids.map((id) => ({ id, name: nameOf(id) })))}
      />
    </FieldGroup>
  );
}

/** Who may take the test: classes, single students, or everybody. */
export function AssignmentSection({ settings: { form } }: { settings: SettingsForm }) {
  return (
    <SettingsSection id="assignment" heading="Кому назначен">
      <FormField
        of={form}
        name="openToAll"
        component={SwitchField}
        label={FIELD_LABELS.openToAll}
        description="Пройти его сможет каждый, кто вошёл, и без назначения"
      />
      <FormField
        of={form}
        name="assignedGroupIds"
        component={PickedField}
        kind="classes"
        label={FIELD_LABELS.assignedGroupIds}
        description="Тест получат и те, кто придёт в класс позже"
        empty="Ни одного класса"
        addLabel="Выбрать классы"
        pickerTitle="Каким классам назначить?"
      />
      <FormField
        of={form}
        name="assignedUserIds"
        component={PickedField}
        kind="people"
        label={FIELD_LABELS.assignedUserIds}
        empty="Никому лично"
        addLabel="Выбрать учеников"
        pickerTitle="Кому назначить?"
      />
    </SettingsSection>
  );
}
