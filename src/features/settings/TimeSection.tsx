import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import { zoneLabel } from '#domain/zoned-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { DurationField } from '#app/ui/forms/DurationField.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { FIELD_LABELS, lateWindowHint, settingsWarnings } from './messages.ts';
import { SettingsSection } from './SettingsSection.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const RUNNING = ['попытка идёт', 'попытки идут', 'попыток идут'] as const;

/** Opening dates, duration and number of attempts. */
export function TimeSection({ settings }: { settings: SettingsForm }) {
  const { timeZone, serverNow } = useDevice();
  const { form, facts, draft } = settings;
  const zone = zoneLabel(serverNow(), timeZone);
  return (
    <SettingsSection id="time" heading="Время и попытки">
      {facts.runningAttempts > 0 && (
        <InlineNote>
          Сейчас {formatCount(facts.runningAttempts, RUNNING)}. Срок начатых попыток не изменится, а
          добавить к нему время можно на странице «Ход теста».
        </InlineNote>
      )}
      <FormField
        of={form}
        name="startTestTime"
        component={DateTimeField}
        label={FIELD_LABELS.startTestTime}
        description={`Время школы: ${zone}. Пусто: тест открыт сразу`}
      />
      <FormField
        of={form}
        name="endTestTime"
        component={DateTimeField}
        label={FIELD_LABELS.endTestTime}
        description={`Время школы: ${zone}. Пусто: без окончания`}
      />
      <FormField
        of={form}
        name="passTestTime"
        component={DurationField}
        label={FIELD_LABELS.passTestTime}
        description="Идёт с начала попытки и без сети, и при закрытом приложении"
      />
      {settingsWarnings(draft, timeZone, serverNow()).map((words) => (
        <InlineNote key={words} tone="warn" icon={IconAlertTriangle} role="status">
          {words}
        </InlineNote>
      ))}
      <FormField
        of={form}
        name="attemptsCount"
        component={NumberField}
        label={FIELD_LABELS.attemptsCount}
        description={
          facts.mostAttempts > 0
            ? `Больше всего попыток у одного ученика сейчас: ${facts.mostAttempts}`
            : undefined
        }
      />
      <FormField
        of={form}
        name="lateWindow"
        component={NumberField}
        label={`${FIELD_LABELS.lateWindow}, минут`}
        description={lateWindowHint(draft.lateWindow)}
      />
      <DefinitionRows
        rows={[
          {
            label: 'Баллов за тест',
            value: `${formatPoints(facts.maxPoints)}, ${formatCount(facts.totalQuestions, QUESTIONS)}`,
          },
        ]}
      />
    </SettingsSection>
  );
}
