import { Textarea } from '@mantine/core';
import { difficultyLabel } from '#domain/labels.ts';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { SUBJECTS } from '#app/authoring/created-filters.ts';
import classes from './settings.module.css';
import { FIELD_LABELS } from './messages.ts';
import type { SettingsForm } from './use-settings-form.ts';

const DIFFICULTIES = ['easy', 'medium', 'hard'].map((value) => ({
  value,
  label: difficultyLabel(value),
}));

/** Title and description of the test. */
export function AboutSection({ form }: { form: SettingsForm }) {
  const { draft, errors, set, check } = form;
  const native = useMedia('(max-width: 639.98px)');
  return (
    <section className={classes.section} aria-labelledby="about">
      <h2 id="about">О тесте</h2>
      <div data-field="name">
        <TextField
          type="text"
          name="name"
          label={FIELD_LABELS.name}
          value={draft.name}
          error={errors.get('name') ?? ''}
          onChange={(event) => set('name', event.currentTarget.value)}
          onBlur={() => check('name')}
        />
      </div>
      <div data-field="description">
        <Textarea
          name="description"
          label={FIELD_LABELS.description}
          description="Его увидят перед началом теста. Можно писать формулы между знаками $"
          rows={4}
          value={draft.description}
          error={errors.get('description')}
          onChange={(event) => set('description', event.currentTarget.value)}
          onBlur={() => check('description')}
        />
      </div>
      <div data-field="theme">
        <SelectField
          label={FIELD_LABELS.theme}
          native={native}
          choices={[{ value: '', label: 'Не указан' }, ...SUBJECTS]}
          value={draft.theme}
          onChange={(theme) => set('theme', theme)}
        />
      </div>
      <div data-field="topic">
        <TextField
          type="text"
          name="topic"
          label={FIELD_LABELS.topic}
          description="Например, «Динамика»"
          value={draft.topic}
          error={errors.get('topic') ?? ''}
          onChange={(event) => set('topic', event.currentTarget.value)}
          onBlur={() => check('topic')}
        />
      </div>
      <div data-field="difficulty">
        <SelectField
          label={FIELD_LABELS.difficulty}
          native={native}
          choices={[{ value: '', label: 'Не указана' }, ...DIFFICULTIES]}
          value={draft.difficulty}
          onChange={(difficulty) => set('difficulty', difficulty)}
        />
      </div>
    </section>
  );
}
