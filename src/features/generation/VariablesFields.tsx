import { ActionIcon, Paper } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { SignedField } from '#app/ui/forms/SignedField.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import classes from './generate.module.css';
import { EXPRESSION, NUMBER, type TemplateFields } from './template-fields.ts';
import { freeName, newVariable, type VariableForm } from './template-form.ts';

const KINDS: readonly Choice<VariableForm['kind']>[] = [
  { value: 'range', label: 'От и до' },
  { value: 'list', label: 'Список' },
  { value: 'formula', label: 'Формула' },
];
const END = { type: 'text', component: SignedField, className: classes.end ?? '' } as const;
/** Limit of the contract. */
const MAX_VARIABLES = 30;

function Parts({
  of,
  at,
  kind,
}: Pick<TemplateFields, 'of'> & { at: `variables.${number}`; kind: VariableForm['kind'] }) {
  switch (kind) {
    case 'range':
      return (
        <>
          <FormField of={of} name={`${at}.from`} {...END} label="От" />
          <FormField of={of} name={`${at}.to`} {...END} label="До" />
          <FormField of={of} name={`${at}.step`} {...NUMBER} label="Шаг" />
        </>
      );
    case 'list':
      return (
        <FormField
          of={of}
          name={`${at}.values`}
          {...EXPRESSION}
          className={classes.whole}
          label="Числа"
          description="Через точку с запятой: 1,5; 2; 4"
        />
      );
    case 'formula':
      return (
        <FormField
          of={of}
          name={`${at}.expression`}
          {...EXPRESSION}
          className={classes.whole}
          label="Формула"
          description="Из переменных выше: a * b или round(a / 3; 1)"
        />
      );
  }
}

/** The variables of the template. */
export function VariablesFields({ of, typed: { variables } }: TemplateFields) {
  return (
    <FormList
      of={of}
      name="variables"
      label="Переменные"
      description="В тексте пишите их в двойных скобках: {{a}} или {{a * b}}"
      most={MAX_VARIABLES}
      addLabel="Добавить переменную"
      createItem={() => newVariable(freeName(variables))}
    >
      {(index, onRemove) => {
        const at = `variables.${index}` as const;
        const { name, kind } = variables[index] ?? newVariable('');
        return (
          <Paper component="li" className={classes.variable} p="sm" radius="md">
            <FormField of={of} name={`${at}.name`} {...EXPRESSION} label="Имя" />
            <div className={classes.kind}>
              <FormField
                of={of}
                name={`${at}.kind`}
                component={SelectField<VariableForm['kind']>}
                native
                label="Значения"
                choices={KINDS}
              />
            </div>
            <Parts of={of} at={at} kind={kind} />
            <ActionIcon
              className={classes.remove}
              mt="1.875rem"
              aria-label={`Убрать переменную ${name || index + 1}`}
              onClick={onRemove}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </Paper>
        );
      }}
    </FormList>
  );
}
