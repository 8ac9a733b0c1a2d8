import { focus, swap, type FormStore } from '@modular-forms/react';
import { IconTrash } from '@tabler/icons-react';
import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { ItemOrder } from '#contract/templates.ts';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { FormList } from '#app/ui/forms/FormList.tsx';
import { SelectField, type Choice } from '#app/ui/forms/SelectField.tsx';
import { moveActions } from '#app/ui/sorting/move-actions.ts';
import { RowMenu } from '#app/ui/overlays/RowMenu.tsx';
import { Box } from '@mantine/core';
import classes from '#app/features/generation/generate.module.css';
import { EXPRESSION, type TemplateFields } from '#app/features/generation/template-fields.ts';
import { newItem, type ItemsForm } from './key.ts';

const ORDERS: readonly Choice<ItemOrder>[] = [
  { value: 'given', label: 'Как записаны' },
  { value: 'ascending', label: 'По возрастанию значений' },
  { value: 'descending', label: 'По убыванию значений' },
];

/** The items that students put in order. */
export function ItemsFields({ of, typed: { items, order } }: TemplateFields) {
  const move = (at: number, and: number) => {
    swap(of.store as unknown as FormStore<Pick<ItemsForm, 'items'>>, 'items', { at, and });
    // The row and its menu stay: the focus moves with the item.
    focus(of.store, `items.${and}.text`);
  };
  return (
    <>
      <FormField
        of={of}
        name="order"
        component={SelectField<ItemOrder>}
        native
        label="Верный порядок"
        choices={ORDERS}
      />
      <FormList
        of={of}
        name="items"
        label="Пункты"
        description={
          order === 'given'
            ? 'Запишите в верном порядке: ученики получат их перемешанными'
            : 'В любом порядке: верный получится из значений. Значение – выражение: a / b'
        }
        most={PARTS_PER_QUESTION}
        addLabel="Добавить пункт"
        createItem={newItem}
      >
        {(index, onRemove) => (
          <li className={classes.wrong}>
            <FormField
              of={of}
              name={`items.${index}.text`}
              {...EXPRESSION}
              label={`Пункт ${index + 1}`}
            />
            <Box mt="1.875rem">
              <RowMenu
                label={`Действия с пунктом ${index + 1}`}
                actions={[
                  ...(order === 'given'
                    ? moveActions(index, items.length, (to) => move(index, to))
                    : []),
                  { icon: IconTrash, label: 'Убрать', onClick: onRemove },
                ]}
              />
            </Box>
            {order !== 'given' && (
              <FormField
                of={of}
                name={`items.${index}.value`}
                {...EXPRESSION}
                label={`Значение пункта ${index + 1}`}
              />
            )}
          </li>
        )}
      </FormList>
    </>
  );
}
