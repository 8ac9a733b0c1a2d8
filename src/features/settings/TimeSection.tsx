import { IconAlertTriangle } from '@tabler/icons-react';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import { zoneLabel } from '#domain/zoned-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { DateTimeField } from '#app/ui/forms/DateTimeField.tsx';
import { DefinitionRows } from '#app/ui/data/DefinitionRows.tsx';
import { DurationField } from '#app/ui/forms/DurationField.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import classes from './settings.module.css';
import { FIELD_LABELS, lateWindowHint, settingsWarnings } from './messages.ts';
import type { SettingsForm } from './use-settings-form.ts';

const RUNNING = ['попытка идёт', 'попытки идут', 'попыток идут'] as const;

/** Opening dates, duration and number of attempts. */
export function TimeSection({ form }: { form: SettingsForm }) {
  const { timeZone, serverNow } = useDevice();
  const { facts, draft, errors, set, check } = form;
  const zone = zoneLabel(serverNow(), timeZone);
  return (
    <section className={classes.section} aria-labelledby="time">
      <h2 id="time">Время и попытки</h2>
      {facts.runningAttempts > 0 && (
        <InlineNote>
          Сейчас {formatCount(facts.runningAttempts, RUNNING)}: их срок не изменится. Добавить время
          тем, кто уже начал, можно на странице «Ход теста».
        </InlineNote>
      )}
      <div data-field="startTestTime">
        <DateTimeField
          name="startTestTime"
          label={FIELD_LABELS.startTestTime}
          description={`Время школы: ${zone}. Пусто: тест открыт сразу`}
          value={draft.startTestTime}
          error={errors.get('startTestTime')}
          onChange={(value) => set('startTestTime', value)}
          onBlur={() => check('startTestTime')}
        />
      </div>
      <div data-field="endTestTime">
        <DateTimeField
          name="endTestTime"
          label={FIELD_LABELS.endTestTime}
          description={`Время школы: ${zone}. Пусто: без окончания`}
          value={draft.endTestTime}
          error={errors.get('endTestTime')}
          onChange={(value) => set('endTestTime', value)}
          onBlur={() => check('endTestTime')}
        />
      </div>
      <div data-field="passTestTime">
        <DurationField
          name="passTestTime"
          label={FIELD_LABELS.passTestTime}
          description="Идёт с начала попытки и без сети, и при закрытом приложении"
          value={draft.passTestTime}
          error={errors.get('passTestTime')}
          onChange={(value) => set('passTestTime', value)}
          onBlur={() => check('passTestTime')}
        />
      </div>
      {settingsWarnings(draft, timeZone).map((words) => (
        <InlineNote key={words} tone="warn" icon={IconAlertTriangle} role="status">
          {words}
        </InlineNote>
      ))}
      <div data-field="attemptsCount">
        <NumberField
          name="attemptsCount"
          label={FIELD_LABELS.attemptsCount}
          description={
            facts.mostAttempts > 0
              ? `Больше всего попыток у одного ученика сейчас: ${facts.mostAttempts}`
              : undefined
          }
          value={draft.attemptsCount}
          error={errors.get('attemptsCount')}
          onChange={(event) => set('attemptsCount', event.currentTarget.value)}
          onBlur={() => check('attemptsCount')}
        />
      </div>
      <div data-field="lateWindow">
        <NumberField
          name="lateWindow"
          label={`${FIELD_LABELS.lateWindow}, минут`}
          description={lateWindowHint(draft.lateWindow)}
          value={draft.lateWindow}
          error={errors.get('lateWindow')}
          onChange={(event) => set('lateWindow', event.currentTarget.value)}
          onBlur={() => check('lateWindow')}
        />
      </div>
      <DefinitionRows
        rows={[
          {
            label: 'Баллов за тест',
            value: `${formatPoints(facts.maxPoints)}, ${formatCount(facts.totalQuestions, QUESTIONS)}`,
          },
        ]}
      />
    </section>
  );
}
