import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { Icon } from '#app/ui/Icon.tsx';
import classes from './UndoButtons.module.css';
import { useUndoKeys } from './use-undo-keys.ts';

const lower = (label: string) => `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;

/** Undo and redo of the draft: by buttons that name the step, and by keys. */
export function UndoButtons({ draft }: { draft: Draft }) {
  const { undoLabel, redoLabel } = draft;
  const [spoken, setSpoken] = useState('');
  const step = (which: 'undo' | 'redo') => {
    const label = which === 'undo' ? undoLabel : redoLabel;
    if (label === null) return;
    if (which === 'undo') draft.undo();
    else draft.redo();
    setSpoken(`${which === 'undo' ? 'Отменено' : 'Возвращено'}: ${lower(label)}`);
  };
  useUndoKeys(step);
  const undoTitle = undoLabel === null ? 'Отменять нечего' : `Отменить: ${lower(undoLabel)}`;
  const redoTitle = redoLabel === null ? 'Возвращать нечего' : `Вернуть: ${lower(redoLabel)}`;
  return (
    <span className={classes.pair}>
      <ActionIcon
        aria-label={undoTitle}
        title={undoTitle}
        data-off={undoLabel === null || undefined}
        aria-disabled={undoLabel === null}
        onClick={() => step('undo')}
      >
        <Icon of={IconArrowBackUp} />
      </ActionIcon>
      <ActionIcon
        aria-label={redoTitle}
        title={redoTitle}
        data-off={redoLabel === null || undefined}
        aria-disabled={redoLabel === null}
        onClick={() => step('redo')}
      >
        <Icon of={IconArrowForwardUp} />
      </ActionIcon>
      <VisuallyHidden component="span" role="status">
        {spoken}
      </VisuallyHidden>
    </span>
  );
}
