import { Box } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './InlineNote.module.css';

export interface InlineNoteProps {
  /** Grey by default; `line` has a border only; `plain` neither. */
  tone?: 'quiet' | 'ink' | 'warn' | 'bad' | 'ok' | 'line' | 'plain';
  icon?: IconType;
  children: ReactNode;
  /** An action under the text. */
  action?: ReactNode;
  /** `status` for a note that appears while the page is open. */
  role?: 'status' | 'note';
}

/** A note in the flow of the page: icon and one or two sentences. */
export function InlineNote({
  tone = 'quiet',
  icon = IconInfoCircle,
  children,
  action,
  role = 'note',
}: InlineNoteProps) {
  return (
    <div className={classes.note} data-tone={tone} role={role}>
      <Icon of={icon} />
      <div className={classes.words}>
        {children}
        {action && <Box mt="xs">{action}</Box>}
      </div>
    </div>
  );
}
