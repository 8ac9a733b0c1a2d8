import { ActionIcon, Box } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import type { Selection } from '#app/questions/form/text-edit.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import classes from './generate.module.css';
import { GapsFields } from './GapsFields.tsx';
import { ItemsFields } from './ItemsFields.tsx';
import { newDistractor, type TemplateKeyForm } from './template-key-form.ts';
import { EXPRESSION, NUMBER, type TemplateFields } from './template-fields.ts';
import { PAIRS } from '#app/ui/columns.ts';

/** Maximum number of wrong options. */
const MAX_WRONG = 9;

function Distractors({ of }: Pick<TemplateFields, 'of'>) {
  return (
    <FormList
      of={of}
      name="distractors"
      label="Неверные варианты"
      description="Выражения, в которых ошибка понятна: забыли умножить, перепутали знак"
      most={MAX_WRONG}
      addLabel="Добавить неверный вариант"
      createItem={newDistractor}
    >
      {(index, onRemove) => (
        <li className={classes.wrong}>
          <FormField
            of={of}
            name={`distractors.${index}.expression`}
            {...EXPRESSION}
            label={`Неверный вариант ${index + 1}`}
          />
          <ActionIcon
            mt="1.875rem"
            aria-label={`Убрать неверный вариант ${index + 1}`}
            onClick={onRemove}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
          <FormField
            of={of}
            name={`distractors.${index}.feedback`}
            {...EXPRESSION}
            label={`Что сказать выбравшему вариант ${index + 1}`}
          />
        </li>
      )}
    </FormList>
  );
}

const KINDS: readonly Choice<TemplateKeyForm['kind']>[] = [
  { value: 'open', label: KIND_LABELS.line },
  { value: 'variant', label: KIND_LABELS.single },
  { value: 'gaps', label: KIND_LABELS.gaps },
  { value: 'ordering', label: KIND_LABELS.ordering },
];

/** The decimals of a number or a choice, with a quantity beside them. */
function Precision({ of, kind }: Pick<TemplateFields, 'of'> & Pick<TemplateKeyForm, 'kind'>) {
  if (kind === 'open')
    return (
      <FormField
        key="tolerance"
        of={of}
        name="tolerance"
        {...NUMBER}
        label="Допуск"
        description="На столько ответ может отличаться; 0: точно"
      />
    );
  if (kind === 'variant')
    return (
      <FormField
        key="unit"
        of={of}
        name="unit"
        {...EXPRESSION}
        label="Единица"
        description="Пишется после каждого числа: Н, км/ч, %"
      />
    );
  return null;
}

/** The key fields: a number, options, gaps or an order. */
export function AnswerFields(fields: TemplateFields & { selection: () => Selection }) {
  const { of, typed } = fields;
  const { kind } = typed;
  return (
    <>
      <FormField
        of={of}
        name="kind"
        component={SelectField<TemplateKeyForm['kind']>}
        native
        label="Как отвечают"
        choices={KINDS}
      />
      {(kind === 'open' || kind === 'variant') && (
        <FormField
          of={of}
          name="answer"
          {...EXPRESSION}
          label="Верный ответ"
          description="Выражение из переменных: m * a или sqrt(a^2 + b^2)"
        />
      )}
      {kind === 'gaps' && <GapsFields {...fields} />}
      {kind === 'ordering' && <ItemsFields of={of} typed={typed} />}
      <Box {...PAIRS}>
        <FormField
          of={of}
          name="decimals"
          {...NUMBER}
          label="Знаков после запятой"
          description="До них округляется всё, что вычислено"
        />
        <Precision of={of} kind={kind} />
      </Box>
      {kind === 'variant' && <Distractors of={of} />}
    </>
  );
}
