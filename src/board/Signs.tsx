import { VisuallyHidden } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCloudOff,
  IconDeviceMobile,
  IconLock,
  IconWifi,
} from '@tabler/icons-react';
import type { BoardRow } from '#contract/board.ts';
import { formatElapsed } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { Trail } from '#app/ui/Trail.tsx';
import classes from './Board.module.css';
import { contactOf, missingOf } from './rules.ts';
import { contactWords, lastWord, missingWords, stateWords } from './words.ts';

/** How many questions have an answer on the server: a bar, and the figures it shows. */
export function Answered({ row }: { row: BoardRow }) {
  const { answered, totalQuestions } = row;
  const share = totalQuestions === 0 ? 0 : Math.min(1, answered / totalQuestions);
  return (
    <span className={classes.answered}>
      {row.state === 'running' && (
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span className={classes.figures}>
        <b>{answered}</b>
        <span aria-hidden>/{totalQuestions}</span>
        <VisuallyHidden> из {totalQuestions}</VisuallyHidden>
      </span>
    </span>
  );
}

const STATE_ICON = {
  notStarted: IconCircleDashed,
  finished: IconCircleCheck,
  closed: IconLock,
  timeOver: IconLock,
} as const;

/** «сдано 10:43», «не начато»; nothing for those who write. */
export function AttemptState({ row }: { row: BoardRow }) {
  const { timeZone } = useDevice();
  if (row.state === 'running') return null;
  const Icon = STATE_ICON[row.state];
  return (
    <span className={classes.sign} data-tone={row.state === 'finished' ? 'ok' : undefined}>
      <Icon size={16} stroke={2} aria-hidden />
      {stateWords(row, timeZone)}
    </span>
  );
}

/** Whether the device is heard, in words. */
export function Contact({ row, now }: { row: BoardRow; now: number }) {
  const { kind } = contactOf(row, now);
  if (kind === 'none') return <AttemptState row={row} />;
  const isOffline = kind === 'offline';
  const Icon = isOffline ? IconCloudOff : IconWifi;
  return (
    <span className={classes.sign} data-tone={isOffline ? 'warn' : undefined}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {contactWords(row, now)}
    </span>
  );
}

/** The same in a narrow column: a sign while all is well, the age where it is not. */
export function ShortContact({ row, now }: { row: BoardRow; now: number }) {
  const contact = contactOf(row, now);
  const missing = missingOf(row);
  return (
    <>
      {missing > 0 && (
        <span className={classes.sign}>
          <IconDeviceMobile size={16} stroke={2} aria-hidden />
          <span aria-hidden>{missing}</span>
          <VisuallyHidden>{missingWords(row)} на устройстве</VisuallyHidden>
        </span>
      )}
      {contact.kind === 'fresh' && (
        <span className={classes.sign}>
          <IconWifi size={20} stroke={1.75} aria-hidden />
          <VisuallyHidden>на связи</VisuallyHidden>
        </span>
      )}
      {contact.kind === 'quiet' && (
        <span className={classes.sign}>
          <VisuallyHidden>на связи </VisuallyHidden>
          {formatElapsed(contact.ageMs)}
        </span>
      )}
      {contact.kind === 'offline' && (
        <span className={classes.sign} data-tone="warn">
          <IconCloudOff size={16} stroke={2} aria-hidden />
          <VisuallyHidden>нет связи </VisuallyHidden>
          {formatElapsed(contact.ageMs)}
        </span>
      )}
    </>
  );
}

/** What the device said it holds, and when; or for how long it has been on its way. */
export function LastWord({ row, now }: { row: BoardRow; now: number }) {
  const { timeZone } = useDevice();
  const { stage, what, rest } = lastWord(row, now, timeZone);
  return (
    <span className={classes.word}>
      {what !== '' && <Trail stage={stage} />}
      <span>
        {what !== '' && <b>{what} </b>}
        {rest}
      </span>
    </span>
  );
}
