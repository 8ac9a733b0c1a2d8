import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import classes from './generate.module.css';
import { EXPRESSION, NUMBER, type TemplateFields } from './template-fields.ts';
import { newDistractor } from './template-form.ts';

/** Maximum number of wrong options. */
const WRONG_MOST = 9;

function Distractors({ of }: Pick<TemplateFields, 'of'>) {
  return (
    <FormList
      of={of}
      name="distractors"
      label="Неверные варианты"
      description="Выражения, в которых ошибка понятна: забыли умножить, перепутали знак"
      most={WRONG_MOST}
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
            className={classes.remove}
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

/** The correct answer, and for a choice also the distractors. */
export function AnswerFields({ of, typed: { kind } }: TemplateFields) {
  return (
    <>
      <FormField
        of={of}
        name="kind"
        component={SelectField}
        native
        label="Как отвечают"
        choices={[
          { value: 'open', label: 'Вписывают число' },
          { value: 'variant', label: 'Выбирают один вариант' },
        ]}
      />
      <FormField
        of={of}
        name="answer"
        {...EXPRESSION}
        label="Верный ответ"
        description="Выражение из переменных: m * a или sqrt(a^2 + b^2)"
      />
      <div className="in-pairs">
        <FormField
          of={of}
          name="decimals"
          {...NUMBER}
          label="Знаков после запятой"
          description="До них округляется всё, что вычислено"
        />
        {kind === 'open' ? (
          <FormField
            key="tolerance"
            of={of}
            name="tolerance"
            {...NUMBER}
            label="Допуск"
            description="На столько ответ может отличаться; 0: точно"
          />
        ) : (
          <FormField
            key="unit"
            of={of}
            name="unit"
            {...EXPRESSION}
            label="Единица"
            description="Пишется после каждого числа: Н, км/ч, %"
          />
        )}
      </div>
      {kind === 'variant' && <Distractors of={of} />}
    </>
  );
}
