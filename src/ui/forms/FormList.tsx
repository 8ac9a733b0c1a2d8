import { Button, Flex } from '@mantine/core';
import {
  FieldArray,
  insert,
  remove,
  type FieldArrayStore,
  type FieldValues,
  type FormStore,
} from '@modular-forms/react';
import { IconPlus } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { FieldGroup } from './FieldGroup.tsx';
import { useSingleRemoval } from './use-single-removal.ts';
import { useSignalValue } from './use-signal-value.ts';

type Lists = Record<string, Record<string, string>[]>;

export interface FormListProps<Values extends FieldValues> {
  of: { store: FormStore<Values> };
  name: keyof Values & string;
  label: string;
  description: string;
  /** The upper limit of items. */
  most: number;
  addLabel: string;
  createItem: () => Record<string, string>;
  /** Renders an `li`; its fields are named `list.0.field`. */
  children: (index: number, onRemove: () => void) => ReactNode;
}

function Items<Values extends FieldValues>({
  of,
  name,
  label,
  description,
  most,
  addLabel,
  createItem,
  children,
  list,
}: FormListProps<Values> & { list: FieldArrayStore<Lists, string> }) {
  const store = of.store as unknown as FormStore<Lists>;
  const items = useSignalValue(list.items);
  const removeOne = useSingleRemoval();
  return (
    <FieldGroup label={label} description={description} error={useSignalValue(list.error)}>
      <Flex component="ul" direction="column" gap="sm">
        {items.map((_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a field cannot change its name, which has the number
          <Fragment key={index}>
            {children(index, () => removeOne(() => remove(store, name, { at: index })))}
          </Fragment>
        ))}
      </Flex>
      {items.length < most && (
        <Button
          mt="xs"
          variant="default"
          size="sm"
          leftSection={<Icon of={IconPlus} />}
          onClick={() => insert(store, name, { value: createItem() })}
        >
          {addLabel}
        </Button>
      )}
    </FieldGroup>
  );
}

/** A list in a form. Items can be added and removed. */
export function FormList<Values extends FieldValues>(props: FormListProps<Values>) {
  return (
    <FieldArray of={props.of.store as unknown as FormStore<Lists>} name={props.name}>
      {(list) => <Items {...props} list={list} />}
    </FieldArray>
  );
}
