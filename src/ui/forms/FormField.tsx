import type { TextInputProps } from '@mantine/core';
import {
  Field,
  setValue,
  type FieldElementProps,
  type FieldStore,
  type FieldValues,
  type FormStore,
} from '@modular-forms/react';
import type { ChangeEvent, ComponentType, FocusEvent } from 'react';
import { TextField, type TextFieldProps } from './TextField.tsx';
import { useSignalValue } from './use-signal-value.ts';

type Texts = Record<string, string>;
type InputProps = Omit<TextInputProps, 'onChange' | 'onBlur'> & {
  onChange: (change: ChangeEvent<HTMLInputElement> | string) => void;
  onBlur: (event: FocusEvent<HTMLInputElement>) => void;
};

export type FormFieldProps<Values extends FieldValues, Props> = {
  of: { store: FormStore<Values> };
  /** Within a list or an object: `list.0.field`, `object.field`. */
  name: (keyof Values & string) | `${keyof Values & string}.${string}`;
  /** One of Mantine's text inputs, or any component with `value` and `onChange`. */
  component?: ComponentType<Props>;
} & Omit<Props, 'name' | 'ref' | 'value' | 'error' | 'onChange' | 'onBlur'>;

interface BoundInputProps {
  store: FormStore<Texts>;
  component: ComponentType<InputProps>;
  field: FieldStore<Texts, string>;
  input: FieldElementProps<Texts, string>;
}

function BoundInput({ store, component: Input, field, input, ...shown }: BoundInputProps) {
  const value = useSignalValue(field.value) ?? '';
  return (
    <Input
      {...shown}
      {...input}
      value={value}
      error={useSignalValue(field.error)}
      onChange={(change) => {
        const isTyping = change instanceof Object && 'currentTarget' in change;
        if (isTyping) input.onChange(change);
        else setValue(store, input.name, change, { shouldFocus: false });
      }}
      onBlur={(event) => {
        // Leaving an empty field is no mistake yet.
        if (value !== '') input.onBlur(event);
      }}
    />
  );
}

/** A form value in one of Mantine's inputs. */
export function FormField<Values extends FieldValues, Props = TextFieldProps>({
  of,
  name,
  component,
  ...shown
}: FormFieldProps<Values, Props>) {
  // The library's types do not show which values are texts. Other values pass through unchanged.
  const store = of.store as unknown as FormStore<Texts>;
  const Input = (component ?? TextField) as ComponentType<InputProps>;
  return (
    // A field that changes its name while rendered would update its input at the wrong moment.
    <Field key={name} of={store} name={name}>
      {(field, input) => (
        <BoundInput {...shown} store={store} component={Input} field={field} input={input} />
      )}
    </Field>
  );
}
