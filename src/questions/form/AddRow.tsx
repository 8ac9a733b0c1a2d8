import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { MouseEventHandler } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './QuestionForm.module.css';

export interface AddRowProps {
  readonly children: string;
  readonly onClick: () => void;
  readonly onMouseDown?: MouseEventHandler;
  /** Under rows that begin with a handle. */
  readonly isInset?: boolean;
}

/** «Добавить вариант»: the button under a list of rows. */
export function AddRow({ isInset = false, ...button }: AddRowProps) {
  return (
    <Button
      variant="subtle"
      size="sm"
      leftSection={<Icon of={IconPlus} />}
      {...(isInset ? { className: classes.add } : { m: '0.25rem 0 0 -1rem' })}
      {...button}
    />
  );
}
