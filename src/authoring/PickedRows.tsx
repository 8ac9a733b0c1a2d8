import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import classes from './settings.module.css';

export interface PickedRowsProps {
  rows: readonly { id: string; name: string }[];
  /** Said when nobody is picked. */
  empty: string;
  onRemove: (id: string) => void;
}

/** Who is picked, each with a button that takes them out. */
export function PickedRows({ rows, empty, onRemove }: PickedRowsProps) {
  if (rows.length === 0) return <p className={classes.quiet}>{empty}</p>;
  return (
    <ul className={classes.picked}>
      {rows.map(({ id, name }) => (
        <li key={id}>
          <span>{name}</span>
          <ActionIcon aria-label={`Убрать: ${name}`} onClick={() => onRemove(id)}>
            <IconX size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
