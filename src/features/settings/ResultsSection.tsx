import { Stack } from '@mantine/core';
import type { CountedAttempt, DisclosureTime, Visibility } from '#contract/tests.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { COUNTED_LABELS, FIELD_LABELS, MOMENT_LABELS, PART_LABELS } from './messages.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const COUNTED = (Object.keys(COUNTED_LABELS) as CountedAttempt[]).map((value) => ({
  value,
  label: COUNTED_LABELS[value],
}));

const moments = (Object.keys(MOMENT_LABELS) as DisclosureTime[]).map((value) => ({
  value,
  label: MOMENT_LABELS[value],
}));

interface VisibilityFieldProps {
  native: boolean;
  value: Visibility;
  onChange: (value: Visibility) => void;
}

function VisibilityField({ native, value, onChange }: VisibilityFieldProps) {
  return (
    <FieldGroup
      label={FIELD_LABELS.visibility}
      description="Пока попытка идёт, ученик не видит ни баллов, ни ключей. «Закроется для всех»: прошли окончание теста и сроки всех попыток"
    >
      <Stack pt="xs">
        {(['ownAnswers', 'points', 'correctAnswers'] as const).map((part) => (
          <SelectField
            key={part}
            label={PART_LABELS[part]}
            native={native}
            choices={moments}
            value={value[part]}
            onChange={(moment) => onChange({ ...value, [part]: moment })}
          />
        ))}
      </Stack>
    </FieldGroup>
  );
}

/** Which attempt makes the mark, and what the student sees and when. */
export function ResultsSection({ settings: { form } }: { settings: SettingsForm }) {
  const native = useMedia('(max-width: 639.98px)');
  return (
    <SettingsSection id="results" heading="Результаты">
      <FormField
        of={form}
        name="countedAttempt"
        component={SelectField<CountedAttempt>}
        label={FIELD_LABELS.countedAttempt}
        native={native}
        choices={COUNTED}
      />
      <FormField of={form} name="visibility" component={VisibilityField} native={native} />
    </SettingsSection>
  );
}
