import { Box, Button, Group, Paper, Textarea } from '@mantine/core';
import { IconPlayerStop, IconSparkles } from '@tabler/icons-react';
import { getError, getValues, reset, validate } from '@modular-forms/react';
import { useEffect, useRef, useState, type Ref } from 'react';
import type * as v from 'valibot';
import type { QuestionKind } from '#contract/bank.ts';
import { MAX_AI_QUESTIONS } from '#contract/limits.ts';
import { DIFFICULTY_CHOICES, SUBJECT_CHOICES } from '#domain/choices.ts';
import { wireKindLabel } from '#domain/labels-kinds.ts';
import { settingsQuery } from '#app/lib/teacher-queries.ts';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { keepFocus } from '#app/ui/forms/FormFoot.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { type AskForm, EMPTY_FORM, prefilled, ValidAskForm } from './ask-form.ts';
import { SourceField } from './SourceField.tsx';
import { DisclosurePanel } from './DisclosurePanel.tsx';
import { columnsOf } from '#app/ui/columns.ts';

const KIND_ORDER: readonly QuestionKind[] = [
  'variant',
  'open',
  'compliance',
  'ordering',
  'gaps',
  'file',
];

export interface AskPanelProps {
  readonly testId: string;
  /** Form state at first. */
  readonly form: AskForm;
  readonly onChange: (form: AskForm) => void;
  readonly provider: { readonly host: string; readonly model: string };
  readonly isDisclosed: boolean;
  readonly onDisclosed: () => void;
  readonly isWriting: boolean;
  readonly onStart: (count: number) => void;
  readonly onStop: () => void;
}

function KindsField({
  value,
  onChange,
  error,
  ref,
}: {
  value: readonly QuestionKind[];
  onChange: (kinds: QuestionKind[]) => void;
  error?: string;
  ref?: Ref<HTMLInputElement>;
}) {
  return (
    <FieldGroup label="Виды вопросов" error={error}>
      <Box {...columnsOf('9rem', { gap: '0 1rem' })}>
        {KIND_ORDER.map((kind, index) => (
          <ChoiceRow
            key={kind}
            ref={index === 0 ? ref : undefined}
            type="checkbox"
            name="kinds"
            checked={value.includes(kind)}
            onChange={(checked) =>
              onChange(KIND_ORDER.filter((one) => (one === kind ? checked : value.includes(one))))
            }
          >
            {wireKindLabel(kind)}
          </ChoiceRow>
        ))}
      </Box>
    </FieldGroup>
  );
}

function StartButton({ isWriting, onStop }: Pick<AskPanelProps, 'isWriting' | 'onStop'>) {
  return isWriting ? (
    <Button
      key="stop"
      variant="default"
      leftSection={<Icon of={IconPlayerStop} />}
      onClick={onStop}
    >
      Остановить
    </Button>
  ) : (
    <Button
      key="start"
      type="submit"
      onMouseDown={keepFocus}
      leftSection={<Icon of={IconSparkles} />}
    >
      Составить
    </Button>
  );
}

/** Form of the request to the provider. */
export function AskPanel({
  testId,
  form: start,
  onChange,
  provider,
  isDisclosed,
  onDisclosed,
  isWriting,
  onStart,
  onStop,
}: AskPanelProps) {
  const native = useMedia('(max-width: 639.98px)');
  const [isMissed, setMissed] = useState(false);
  const form = useAppForm<AskForm, v.InferOutput<typeof ValidAskForm>>({
    schema: ValidAskForm,
    initialValues: start,
    onValues: (values) => {
      onChange(values);
      // A text makes up for the topic.
      if (getError(form.store, 'topic')) void validate(form.store, 'topic', { shouldFocus: false });
    },
    send: ({ count }) => {
      if (isWriting) return;
      if (isDisclosed) return onStart(Number(count));
      setMissed(true);
      form.store.element.peek()?.querySelector<HTMLElement>('details button')?.focus();
    },
  });
  const { data: settings } = usePageQuery(settingsQuery(testId));
  // An untouched form is prefilled with the test's subject and difficulty.
  const isPrefilled = useRef(JSON.stringify(start) !== JSON.stringify(EMPTY_FORM));
  useEffect(() => {
    if (!settings || isPrefilled.current) return;
    isPrefilled.current = true;
    reset(form.store, { initialValues: prefilled(getValues(form.store) as AskForm, settings) });
  });

  return (
    <Paper p="md">
      <AppForm of={form} aria-label="Что составить">
        <FormField
          of={form}
          name="topic"
          type="text"
          label="Тема"
          description="Например, «Второй закон Ньютона»"
        />
        <FormField of={form} component={SourceField} name="source" />
        <FormField of={form} component={KindsField} name="kinds" />
        <Box {...columnsOf('9rem')}>
          <FormField
            of={form}
            component={NumberField}
            name="count"
            label={`Сколько, до ${MAX_AI_QUESTIONS}`}
          />
          <FormField
            of={form}
            component={SelectField}
            name="difficulty"
            label="Сложность"
            native={native}
            choices={[{ value: '', label: 'Любая' }, ...DIFFICULTY_CHOICES]}
          />
        </Box>
        <FormField
          of={form}
          component={SelectField}
          name="theme"
          label="Предмет"
          native={native}
          choices={[{ value: '', label: 'Не указан' }, ...SUBJECT_CHOICES]}
        />
        <FormField
          of={form}
          component={Textarea}
          name="wishes"
          label="Пожелания"
          description="Например, «с числами без калькулятора»"
          rows={2}
        />
        <DisclosurePanel
          {...provider}
          isDisclosed={isDisclosed}
          isMissed={isMissed}
          onDisclosed={onDisclosed}
        />
        <Group gap="sm" align="stretch">
          <StartButton isWriting={isWriting} onStop={onStop} />
        </Group>
      </AppForm>
    </Paper>
  );
}
