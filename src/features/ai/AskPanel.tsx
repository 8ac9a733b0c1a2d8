import { Button, Flex, Group, Textarea } from '@mantine/core';
import { IconPlayerStop, IconSparkles } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import * as v from 'valibot';
import type { QuestionKind } from '#contract/bank.ts';
import { AI_QUESTIONS_MOST } from '#contract/limits.ts';
import { Difficulty, Theme } from '#contract/themes.ts';
import { difficultyLabel } from '#domain/labels.ts';
import { SUBJECTS } from '#app/authoring/created-filters.ts';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { NumberField } from '#app/ui/forms/NumberField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { TextField } from '#app/ui/forms/TextField.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import classes from './ai.module.css';
import { type AskErrors, askErrors, type AskForm } from './ask-form.ts';
import { SourceField } from './SourceField.tsx';
import { DisclosurePanel } from './DisclosurePanel.tsx';

const KINDS: Readonly<Record<QuestionKind, string>> = {
  variant: 'С вариантами',
  open: 'Открытый ответ',
  compliance: 'Соответствие',
  file: 'Файл',
};
const KIND_ORDER: readonly QuestionKind[] = ['variant', 'open', 'compliance', 'file'];

const DIFFICULTIES = Difficulty.options.map((value) => ({ value, label: difficultyLabel(value) }));

export interface AskPanelProps {
  readonly form: AskForm;
  readonly onChange: (form: AskForm) => void;
  readonly provider: { readonly host: string; readonly model: string };
  readonly isDisclosed: boolean;
  readonly onDisclosed: () => void;
  readonly isWriting: boolean;
  readonly onStart: (count: number) => void;
  readonly onStop: () => void;
}

/** Form of the request to the provider. */
export function AskPanel({
  form,
  onChange,
  provider,
  isDisclosed,
  onDisclosed,
  isWriting,
  onStart,
  onStop,
}: AskPanelProps) {
  const native = useMedia('(max-width: 639.98px)');
  const [errors, setErrors] = useState<AskErrors>({});
  const [isMissed, setMissed] = useState(false);
  const panel = useRef<HTMLFormElement>(null);

  const set = <K extends keyof AskForm>(field: K, value: AskForm[K]) => {
    const next = { ...form, [field]: value };
    onChange(next);
    // Fields with errors are revalidated on each keystroke.
    if (Object.keys(errors).length > 0) setErrors(askErrors(next));
  };
  const submit = () => {
    const found = askErrors(form);
    setErrors(found);
    const [field] = Object.keys(found);
    if (field !== undefined) {
      const wrong = panel.current?.querySelector<HTMLElement>(`[name="${field}"]`);
      wrong?.focus();
    } else if (isDisclosed) {
      onStart(Number(form.count.trim()));
    } else {
      setMissed(true);
      panel.current?.querySelector<HTMLElement>('details button')?.focus();
    }
  };

  return (
    <form
      ref={panel}
      className={classes.ask}
      aria-label="Что составить"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWriting) submit();
      }}
    >
      <TextField
        type="text"
        name="topic"
        label="Тема"
        description="Например, «Второй закон Ньютона»"
        value={form.topic}
        error={errors.topic ?? ''}
        onChange={(event) => set('topic', event.currentTarget.value)}
      />
      <SourceField
        value={form.source}
        error={errors.source}
        onChange={(source) => set('source', source)}
      />
      <FieldGroup label="Виды вопросов" error={errors.kinds}>
        <div className={classes.kinds}>
          {KIND_ORDER.map((kind) => (
            <Flex key={kind} component="label" align="center" gap="sm" mih={44}>
              <input
                type="checkbox"
                name="kinds"
                checked={form.kinds.includes(kind)}
                onChange={(event) =>
                  set(
                    'kinds',
                    KIND_ORDER.filter((one) =>
                      one === kind ? event.currentTarget.checked : form.kinds.includes(one),
                    ),
                  )
                }
              />
              {KINDS[kind]}
            </Flex>
          ))}
        </div>
      </FieldGroup>
      <div className={classes.pair}>
        <NumberField
          name="count"
          label={`Сколько, до ${AI_QUESTIONS_MOST}`}
          value={form.count}
          error={errors.count}
          onChange={(event) => set('count', event.currentTarget.value)}
        />
        <SelectField
          label="Сложность"
          native={native}
          choices={[{ value: '', label: 'Любая' }, ...DIFFICULTIES]}
          value={form.difficulty}
          onChange={(value) => set('difficulty', v.is(Difficulty, value) ? value : '')}
        />
      </div>
      <SelectField
        label="Предмет"
        native={native}
        choices={[{ value: '', label: 'Не указан' }, ...SUBJECTS]}
        value={form.theme}
        onChange={(value) => set('theme', v.is(Theme, value) ? value : '')}
      />
      <Textarea
        name="wishes"
        label="Пожелания"
        description="Например, «с числами без калькулятора»"
        rows={2}
        value={form.wishes}
        error={errors.wishes}
        onChange={(event) => set('wishes', event.currentTarget.value)}
      />
      <DisclosurePanel
        {...provider}
        isDisclosed={isDisclosed}
        isMissed={isMissed}
        onDisclosed={onDisclosed}
      />
      <Group gap="sm" align="stretch">
        {isWriting ? (
          <Button
            key="stop"
            variant="default"
            leftSection={<Icon of={IconPlayerStop} />}
            onClick={onStop}
          >
            Остановить
          </Button>
        ) : (
          <Button key="start" type="submit" leftSection={<Icon of={IconSparkles} />}>
            Составить
          </Button>
        )}
      </Group>
    </form>
  );
}
