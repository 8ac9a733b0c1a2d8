import { ActionIcon, Button, Flex } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import classes from './generate.module.css';
import { TemplateLine } from './TemplateField.tsx';
import { newDistractor, type DistractorForm } from './template-form.ts';
import type { TemplateEditing } from './use-template-form.ts';

/** Maximum number of wrong options. */
const WRONG_MOST = 9;

function Distractors({ editing }: { editing: TemplateEditing }) {
  const { distractors } = editing.form;
  const set = (next: readonly DistractorForm[]) => editing.set({ distractors: next });
  return (
    <FieldGroup
      label="Неверные варианты"
      description="Выражения, в которых ошибка понятна: забыли умножить, перепутали знак"
      error={editing.errorOf('distractors')}
    >
      <Flex component="ul" direction="column" gap="sm">
        {distractors.map((wrong, index) => {
          const change = (part: Partial<DistractorForm>) =>
            set(distractors.map((one) => (one.key === wrong.key ? { ...one, ...part } : one)));
          return (
            <li key={wrong.key} className={classes.wrong}>
              <TemplateLine
                editing={editing}
                field={`distractors.${index}.expression`}
                label={`Неверный вариант ${index + 1}`}
                value={wrong.expression}
                onChange={(expression) => change({ expression })}
              />
              <ActionIcon
                className={classes.remove}
                aria-label={`Убрать неверный вариант ${index + 1}`}
                onClick={() => set(distractors.filter(({ key }) => key !== wrong.key))}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
              <TemplateLine
                editing={editing}
                field={`distractors.${index}.feedback`}
                label={`Что сказать выбравшему вариант ${index + 1}`}
                value={wrong.feedback}
                onChange={(feedback) => change({ feedback })}
              />
            </li>
          );
        })}
      </Flex>
      {distractors.length < WRONG_MOST && (
        <Button
          mt="xs"
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => set([...distractors, newDistractor()])}
        >
          Добавить неверный вариант
        </Button>
      )}
    </FieldGroup>
  );
}

/** The correct answer, and for a choice also the distractors. */
export function AnswerFields({ editing }: { editing: TemplateEditing }) {
  const { form, set } = editing;
  return (
    <>
      <SelectField
        native
        label="Как отвечают"
        choices={[
          { value: 'open', label: 'Вписывают число' },
          { value: 'variant', label: 'Выбирают один вариант' },
        ]}
        value={form.kind}
        onChange={(kind) => set({ kind })}
      />
      <TemplateLine
        editing={editing}
        field="answer"
        label="Верный ответ"
        description="Выражение из переменных: m * a или sqrt(a^2 + b^2)"
        value={form.answer}
        onChange={(answer) => set({ answer })}
      />
      <div className={classes.pair}>
        <TemplateLine
          editing={editing}
          field="decimals"
          label="Знаков после запятой"
          description="До них округляется всё, что вычислено"
          value={form.decimals}
          isNumber
          onChange={(decimals) => set({ decimals })}
        />
        {form.kind === 'open' ? (
          <TemplateLine
            editing={editing}
            field="tolerance"
            label="Допуск"
            description="На столько ответ может отличаться; 0: точно"
            value={form.tolerance}
            isNumber
            onChange={(tolerance) => set({ tolerance })}
          />
        ) : (
          <TemplateLine
            editing={editing}
            field="unit"
            label="Единица"
            description="Пишется после каждого числа: Н, км/ч, %"
            value={form.unit}
            onChange={(unit) => set({ unit })}
          />
        )}
      </div>
      {form.kind === 'variant' && <Distractors editing={editing} />}
    </>
  );
}
