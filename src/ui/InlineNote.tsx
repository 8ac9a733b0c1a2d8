import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IconType } from './icon-type.ts';
import classes from './InlineNote.module.css';

export interface InlineNoteProps {
  /** Grey by default; `line` has a border only; `plain` neither. */
  tone?: 'quiet' | 'ink' | 'warn' | 'bad' | 'ok' | 'line' | 'plain';
  icon?: IconType;
  children: ReactNode;
  /** An action under the words. */
  action?: ReactNode;
  /** `status` for a note that appears while the page is open. */
  role?: 'status' | 'note';
}

/** A note in the flow of the page: icon and one or two sentences. */
export function InlineNote({
  tone = 'quiet',
  icon: Icon = IconInfoCircle,
  children,
  action,
  role = 'note',
}: InlineNoteProps) {
  return (
    <div className={classes.note} data-tone={tone} role={role}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div className={classes.words}>
        {children}
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </div>
  );
}
