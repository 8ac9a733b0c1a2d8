import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { Draft } from '#app/authoring/draft/draft.ts';
import classes from './UndoButtons.module.css';
import { useUndoKeys } from './use-undo-keys.ts';

const lower = (label: string) => `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;

/** Takes steps of the draft back and does them again: by buttons that name the step, and by keys. */
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
  const undoWords = undoLabel === null ? 'Отменять нечего' : `Отменить: ${lower(undoLabel)}`;
  const redoWords = redoLabel === null ? 'Возвращать нечего' : `Вернуть: ${lower(redoLabel)}`;
  return (
    <span className={classes.pair}>
      <ActionIcon
        aria-label={undoWords}
        title={undoWords}
        data-off={undoLabel === null || undefined}
        aria-disabled={undoLabel === null}
        onClick={() => step('undo')}
      >
        <IconArrowBackUp size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <ActionIcon
        aria-label={redoWords}
        title={redoWords}
        data-off={redoLabel === null || undefined}
        aria-disabled={redoLabel === null}
        onClick={() => step('redo')}
      >
        <IconArrowForwardUp size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <span className={classes.spoken} role="status">
        {spoken}
      </span>
    </span>
  );
}
