import { ActionIcon, Button, Flex, Paper } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { FieldGroup } from '#app/ui/forms/FieldGroup.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import classes from './generate.module.css';
import { TemplateLine } from './TemplateField.tsx';
import { freeName, newVariable, type VariableForm } from './template-form.ts';
import type { TemplateEditing } from './use-template-form.ts';

const KINDS: readonly Choice<VariableForm['kind']>[] = [
  { value: 'range', label: 'От и до' },
  { value: 'list', label: 'Список' },
  { value: 'formula', label: 'Формула' },
];
/** Limit of the contract. */
const VARIABLES_MOST = 30;

function Parts({
  editing,
  variable,
  at,
  change,
}: {
  editing: TemplateEditing;
  variable: VariableForm;
  at: (part: string) => string;
  change: (part: Partial<VariableForm>) => void;
}) {
  const line = (part: 'from' | 'to' | 'step', label: string) => (
    <TemplateLine
      editing={editing}
      field={at(part)}
      label={label}
      value={variable[part]}
      isNumber
      onChange={(value) => change({ [part]: value })}
    />
  );
  if (variable.kind === 'range') {
    return (
      <>
        {line('from', 'От')}
        {line('to', 'До')}
        {line('step', 'Шаг')}
      </>
    );
  }
  const isList = variable.kind === 'list';
  const part = isList ? 'values' : 'expression';
  return (
    <TemplateLine
      editing={editing}
      className={classes.whole}
      field={at(part)}
      label={isList ? 'Числа' : 'Формула'}
      description={
        isList
          ? 'Через точку с запятой: 1,5; 2; 4'
          : 'Из переменных выше: a * b или round(a / 3; 1)'
      }
      value={variable[part]}
      isNumber={!isList}
      onChange={(value) => change({ [part]: value })}
    />
  );
}

/** The variables of the template. */
export function VariablesFields({ editing }: { editing: TemplateEditing }) {
  const { variables } = editing.form;
  const set = (next: readonly VariableForm[]) => editing.set({ variables: next });
  return (
    <FieldGroup
      label="Переменные"
      description="В тексте пишите их в двойных скобках: {{a}} или {{a * b}}"
      error={editing.errorOf('variables')}
    >
      <Flex component="ul" direction="column" gap="sm">
        {variables.map((variable, index) => {
          const change = (part: Partial<VariableForm>) =>
            set(variables.map((one) => (one.key === variable.key ? { ...one, ...part } : one)));
          const at = (part: string) => `variables.${index}.${part}`;
          return (
            <Paper key={variable.key} component="li" className={classes.variable} radius="md">
              <TemplateLine
                editing={editing}
                field={at('name')}
                label="Имя"
                value={variable.name}
                onChange={(name) => change({ name })}
              />
              <div className={classes.kind}>
                <SelectField
                  native
                  label="Значения"
                  choices={KINDS}
                  value={variable.kind}
                  onChange={(kind) => change({ kind })}
                />
              </div>
              <Parts editing={editing} variable={variable} at={at} change={change} />
              <ActionIcon
                className={classes.remove}
                aria-label={`Убрать переменную ${variable.name || index + 1}`}
                onClick={() => set(variables.filter(({ key }) => key !== variable.key))}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            </Paper>
          );
        })}
      </Flex>
      {variables.length < VARIABLES_MOST && (
        <Button
          mt="xs"
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => set([...variables, newVariable(freeName(variables))])}
        >
          Добавить переменную
        </Button>
      )}
    </FieldGroup>
  );
}
