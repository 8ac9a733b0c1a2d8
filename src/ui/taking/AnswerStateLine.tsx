import {
  IconAlertTriangle,
  IconCircleDashed,
  IconHistory,
  IconLock,
  IconUserSearch,
} from '@tabler/icons-react';
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  answerStateShort,
  answerStateLabel,
  sendingLabel,
  type AnswerState,
  type UploadProgress,
} from '#domain/labels-answer.ts';
import classes from './AnswerStateLine.module.css';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { Trail } from './Trail.tsx';

const ICONS: Readonly<Partial<Record<AnswerState, IconType>>> = {
  none: IconCircleDashed,
  held: IconUserSearch,
  late: IconHistory,
  setAside: IconAlertTriangle,
  unsaved: IconAlertTriangle,
  locked: IconLock,
};

/** The sign of an answer's state alone: the trail, or an icon. */
export function AnswerStateSign({ state }: { state: AnswerState }) {
  const icon = ICONS[state];
  if (icon) {
    return (
      <span className={classes.sign} data-state={state}>
        <Icon of={icon} />
      </span>
    );
  }
  return (
    <Trail stage={state === 'server' ? 'server' : state === 'sending' ? 'sending' : 'device'} />
  );
}

export interface AnswerStateLineProps {
  state: AnswerState;
  /** The time of that stage, ready to read: «10:42» or «21 мая, 10:42». */
  at?: string | undefined;
  /** Of a file that is being sent. */
  progress?: UploadProgress | undefined;
  /** «Подробнее» at an answer that was set aside, or another action at the line's end. */
  action?: ReactNode;
}

/**
 * Where the answer is stored, shown at the answer itself. Keeps its 44 px free when there is nothing
 * to say, so that nothing jumps.
 */
export function AnswerStateLine({ state, at, progress, action }: AnswerStateLineProps) {
  const words = state === 'sending' ? sendingLabel(progress) : answerStateLabel(state);
  const [head = '', ...rest] = words.split(', ');
  return (
    <div className={classes.line}>
      {words !== '' && (
        <>
          <AnswerStateSign state={state} />
          <span className={classes.words} data-state={state}>
            <span className={classes.head}>{head}</span>
            {rest.length > 0 && `, ${rest.join(', ')}`}
            {at && (state === 'device' || state === 'server' || state === 'held') ? ` ${at}` : null}
          </span>
        </>
      )}
      {action && <Box ms="auto">{action}</Box>}
    </div>
  );
}

export interface AnswerStateRowProps {
  /** What is on its way: the question's number, «17», or a word such as «Завершение теста». */
  label: ReactNode;
  state: AnswerState;
  /** The second line: a time, «изменено в 10:47». */
  detail?: ReactNode;
}

/** One answer in «Где мои ответы»: number, trail, state and time. */
export function AnswerStateRow({ label, state, detail }: AnswerStateRowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.label}>{label}</span>
      <AnswerStateSign state={state} />
      <span className={classes.two}>
        <span>{answerStateShort(state)}</span>
        {detail && <span className={classes.detail}>{detail}</span>}
      </span>
    </li>
  );
}
