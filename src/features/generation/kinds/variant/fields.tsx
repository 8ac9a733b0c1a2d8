import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { KIND_LABELS } from '#domain/labels-kinds.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import classes from '#app/features/generation/generate.module.css';
import { AnswerField } from '#app/features/generation/kinds/AnswerField.tsx';
import type { TemplateKeyFields } from '#app/features/generation/kinds/key-fields.ts';
import { EXPRESSION, type TemplateFields } from '#app/features/generation/template-fields.ts';
import { newDistractor } from './key.ts';

/** Maximum number of wrong options. */
const MAX_WRONG = 9;

const Precision = ({ of }: Pick<TemplateFields, 'of'>) => (
  <FormField
    of={of}
    name="unit"
    {...EXPRESSION}
    label="Единица"
    description="Пишется после каждого числа: Н, км/ч, %"
  />
);

const Distractors = ({ of }: Pick<TemplateFields, 'of'>) => (
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

export const variantFields: TemplateKeyFields = {
  label: KIND_LABELS.single,
  Fields: AnswerField,
  Precision,
  Below: Distractors,
};
