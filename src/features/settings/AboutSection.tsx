import { Textarea } from '@mantine/core';
import { DIFFICULTY_CHOICES, SUBJECT_CHOICES } from '#domain/choices.ts';
import { BY_SUBJECT, LANGUAGE_LABELS } from '#domain/languages.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { FIELD_LABELS } from './messages.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const THEMES = [{ value: '', label: 'Не указан' }, ...SUBJECT_CHOICES];
const LANGUAGES = [
  { value: '', label: BY_SUBJECT },
  ...Object.entries(LANGUAGE_LABELS).map(([value, label]) => ({ value, label })),
];
const DIFFICULTIES = [{ value: '', label: 'Не указана' }, ...DIFFICULTY_CHOICES];

/** Title and description of the test. */
export function AboutSection({ settings: { form } }: { settings: SettingsForm }) {
  const native = useMedia('(max-width: 639.98px)');
  return (
    <SettingsSection id="about" heading="О тесте">
      <FormField of={form} name="name" type="text" label={FIELD_LABELS.name} />
      <FormField
        of={form}
        name="description"
        component={Textarea}
        label={FIELD_LABELS.description}
        description="Его увидят перед началом теста. Можно писать формулы между знаками $"
        rows={4}
      />
      <FormField
        of={form}
        name="theme"
        component={SelectField}
        label={FIELD_LABELS.theme}
        native={native}
        choices={THEMES}
      />
      <FormField
        of={form}
        name="topic"
        type="text"
        label={FIELD_LABELS.topic}
        description="Например, «Динамика»"
      />
      <FormField
        of={form}
        name="difficulty"
        component={SelectField}
        label={FIELD_LABELS.difficulty}
        native={native}
        choices={DIFFICULTIES}
      />
      <FormField
        of={form}
        name="language"
        component={SelectField}
        label={FIELD_LABELS.language}
        native={native}
        choices={LANGUAGES}
      />
    </SettingsSection>
  );
}
