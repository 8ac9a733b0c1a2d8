import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './settings.module.css';

export interface PickedRowsProps {
  rows: readonly { id: string; name: string }[];
  /** Text of the empty list. */
  empty: string;
  onRemove: (id: string) => void;
}

/** The selected people or classes, each with a remove button. */
export function PickedRows({ rows, empty, onRemove }: PickedRowsProps) {
  if (rows.length === 0) return <p className={classes.quiet}>{empty}</p>;
  return (
    <ul className={classes.picked}>
      {rows.map(({ id, name }) => (
        <li key={id}>
          <span>{name}</span>
          <ActionIcon aria-label={`Убрать: ${name}`} onClick={() => onRemove(id)}>
            <Icon of={IconX} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
