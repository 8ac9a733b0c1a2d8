import type { CountedAttempt, Moment } from '#contract/tests.ts';
import { FieldGroup } from '#app/ui/FieldFrame.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './settings.module.css';
import { COUNTED_WORDS, FIELD_LABELS, MOMENT_WORDS, PART_WORDS } from './settings-words.ts';
import type { SettingsForm } from './use-settings-form.ts';

const COUNTED = (Object.keys(COUNTED_WORDS) as CountedAttempt[]).map((value) => ({
  value,
  label: COUNTED_WORDS[value],
}));

const moments = (Object.keys(MOMENT_WORDS) as Moment[]).map((value) => ({
  value,
  label: MOMENT_WORDS[value],
}));

/** Which attempt makes the mark, and what the student sees of it and when. */
export function ResultsSection({ form }: { form: SettingsForm }) {
  const { draft, set } = form;
  const native = useMedia('(max-width: 639.98px)');
  return (
    <section className={classes.section} aria-labelledby="results">
      <h2 id="results">Результаты</h2>
      <div data-field="countedAttempt">
        <SelectField
          label={FIELD_LABELS.countedAttempt}
          native={native}
          choices={COUNTED}
          value={draft.countedAttempt}
          onChange={(value) => set('countedAttempt', value)}
        />
      </div>
      <div data-field="visibility">
        <FieldGroup
          label={FIELD_LABELS.visibility}
          description="Пока попытка идёт, ученик не видит ни баллов, ни ключей. «Закроется для всех»: прошли окончание теста и сроки всех попыток"
        >
          <div className={classes.group}>
            {(['ownAnswers', 'points', 'correctAnswers'] as const).map((part) => (
              <SelectField
                key={part}
                label={PART_WORDS[part]}
                native={native}
                choices={moments}
                value={draft.visibility[part]}
                onChange={(moment) => set('visibility', { ...draft.visibility, [part]: moment })}
              />
            ))}
          </div>
        </FieldGroup>
      </div>
    </section>
  );
}
