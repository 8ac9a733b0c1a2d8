import type { TextInputProps } from '@mantine/core';
import {
  Field,
  type FieldElementProps,
  type FieldStore,
  type FieldValues,
  type FormStore,
} from '@modular-forms/react';
import type { ComponentType } from 'react';
import { TextField, type TextFieldProps } from './TextField.tsx';
import { useSignalValue } from './use-signal-value.ts';

type Texts = Record<string, string>;

export type FormFieldProps<Values extends FieldValues, Props> = {
  of: { store: FormStore<Values> };
  name: keyof Values & string;
  /** One of Mantine's inputs of text, or a composition over it. */
  component?: ComponentType<Props>;
} & Omit<Props, 'name' | 'ref' | 'value' | 'error' | 'onChange' | 'onBlur'>;

interface BoundInputProps {
  component: ComponentType<TextInputProps>;
  field: FieldStore<Texts, string>;
  input: FieldElementProps<Texts, string>;
}

function BoundInput({ component: Input, field, input, ...shown }: BoundInputProps) {
  const value = useSignalValue(field.value) ?? '';
  return (
    <Input
      {...shown}
      {...input}
      value={value}
      error={useSignalValue(field.error)}
      onBlur={(event) => {
        // Passing through an empty field is no mistake yet.
        if (value !== '') input.onBlur(event);
      }}
    />
  );
}

/** A text of a form in one of Mantine's inputs. */
export function FormField<Values extends FieldValues, Props = TextFieldProps>({
  of,
  name,
  component,
  ...shown
}: FormFieldProps<Values, Props>) {
  // The types of the library cannot tell which of the values are texts.
  const store = of.store as unknown as FormStore<Texts>;
  const Input = (component ?? TextField) as ComponentType<TextInputProps>;
  return (
    <Field of={store} name={name}>
      {(field, input) => <BoundInput {...shown} component={Input} field={field} input={input} />}
    </Field>
  );
}
