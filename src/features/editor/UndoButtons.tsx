import { ActionIcon, Flex, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { useUndoKeys } from './use-undo-keys.ts';

const lower = (label: string) => `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`;

interface StepProps {
  readonly title: string;
  readonly icon: IconType;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function Step({ title, icon, isOff, onClick }: StepProps) {
  return (
    <ActionIcon
      aria-label={title}
      title={title}
      aria-disabled={isOff}
      {...(isOff && { bg: 'none', opacity: 0.45 })}
      onClick={onClick}
    >
      <Icon of={icon} />
    </ActionIcon>
  );
}

/** Undo and redo of the draft: by buttons that name the step, and by keys. */
export function UndoButtons({ draft }: { draft: DraftEditor }) {
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
    <Flex component="span" display="inline-flex" pos="relative" flex="none" gap={4}>
      <Step
        title={undoTitle}
        icon={IconArrowBackUp}
        isOff={undoLabel === null}
        onClick={() => step('undo')}
      />
      <Step
        title={redoTitle}
        icon={IconArrowForwardUp}
        isOff={redoLabel === null}
        onClick={() => step('redo')}
      />
      <VisuallyHidden component="span" role="status">
        {spoken}
      </VisuallyHidden>
    </Flex>
  );
}
