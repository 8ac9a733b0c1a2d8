import { FormField } from '#app/ui/forms/FormField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import type { KeyFieldsProps } from '#app/questions/key-form.ts';
import { RightOptions } from '#app/questions/RightOptions.tsx';

export function KeyFields({ of, question }: KeyFieldsProps<'variant'>) {
  const { multiple, options } = question;
  return (
    <>
      <FormField
        of={of}
        name="right"
        component={RightOptions}
        label={multiple ? 'Верные варианты' : 'Верный вариант; если их несколько, засчитают любой'}
        options={options}
      />
      {multiple && (
        <FormField
          of={of}
          name="scoring"
          component={SelectField}
          label="Как считать баллы"
          native
          choices={[
            { value: 'partial', label: 'За каждый верный, минус за неверный' },
            { value: 'allOrNothing', label: 'Всё или ничего' },
          ]}
        />
      )}
    </>
  );
}
