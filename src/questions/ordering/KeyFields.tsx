import { Text } from '@mantine/core';
import { useId } from 'react';
import type { QuestionOf } from '#domain/kinds/rules.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import { OrderingField } from '#app/ui/taking/OrderingField.tsx';
import type { KeyFieldsProps } from '#app/questions/key-form.ts';

interface OrderProps {
  question: QuestionOf<'ordering'>;
  value: readonly string[];
  onChange: (order: string[]) => void;
}

function Order({ question, value, onChange }: OrderProps) {
  const id = useId();
  return (
    <>
      <Text id={id} fw={500}>
        Верный порядок
      </Text>
      <OrderingField
        items={question.items}
        order={value}
        labelledBy={id}
        renderText={(text) => <RichText inline text={text} />}
        onChange={onChange}
      />
    </>
  );
}

export const KeyFields = ({ of, question }: KeyFieldsProps<'ordering'>) => (
  <FormField of={of} name="order" component={Order} question={question} />
);
