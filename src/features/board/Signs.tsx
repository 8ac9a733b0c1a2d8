import { Flex, VisuallyHidden } from '@mantine/core';
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
import { useDevice } from '#app/lib/device-services.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { Trail } from '#app/ui/taking/Trail.tsx';
import classes from './Board.module.css';
import { contactOf, missingOf } from './rules.ts';
import { formatContact, describeLastContact, missingLabel, boardStateLabel } from './messages.ts';

/** Progress bar with figures: questions with an answer on the server. */
export function Answered({ row }: { row: BoardRow }) {
  const { answered, totalQuestions } = row;
  const share = totalQuestions === 0 ? 0 : Math.min(1, answered / totalQuestions);
  return (
    <Flex component="span" display="inline-flex" gap={10} align="center" className="tabular">
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
    </Flex>
  );
}

const STATE_ICON = {
  notStarted: IconCircleDashed,
  finished: IconCircleCheck,
  closed: IconLock,
  timeOver: IconLock,
} as const;

/** «сдано 10:43», «не начато»; empty for running attempts. */
export function AttemptState({ row }: { row: BoardRow }) {
  const { timeZone } = useDevice();
  if (row.state === 'running') return null;
  const icon = STATE_ICON[row.state];
  return (
    <span className={classes.sign} data-tone={row.state === 'finished' ? 'ok' : undefined}>
      <Icon of={icon} size={16} />
      {boardStateLabel(row, timeZone)}
    </span>
  );
}

/** Text of the device's connection state. */
export function Contact({ row, now }: { row: BoardRow; now: number }) {
  const { kind } = contactOf(row, now);
  if (kind === 'none') return <AttemptState row={row} />;
  const isOffline = kind === 'offline';
  const icon = isOffline ? IconCloudOff : IconWifi;
  return (
    <span className={classes.sign} data-tone={isOffline ? 'warn' : undefined}>
      <Icon of={icon} />
      {formatContact(row, now)}
    </span>
  );
}

/** The compact form for a narrow column: an icon while online, else the age. */
export function ShortContact({ row, now }: { row: BoardRow; now: number }) {
  const contact = contactOf(row, now);
  const missing = missingOf(row);
  return (
    <>
      {missing > 0 && (
        <span className={classes.sign}>
          <Icon of={IconDeviceMobile} size={16} />
          <span aria-hidden>{missing}</span>
          <VisuallyHidden>{missingLabel(row)} на устройстве</VisuallyHidden>
        </span>
      )}
      {contact.kind === 'fresh' && (
        <span className={classes.sign}>
          <Icon of={IconWifi} />
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
          <Icon of={IconCloudOff} size={16} />
          <VisuallyHidden>нет связи </VisuallyHidden>
          {formatElapsed(contact.ageMs)}
        </span>
      )}
    </>
  );
}

/** What the device reported as unsent and when, or for how long it has been in transit. */
export function LastContact({ row, now }: { row: BoardRow; now: number }) {
  const { timeZone } = useDevice();
  const { stage, what, rest } = describeLastContact(row, now, timeZone);
  return (
    <Flex component="span" className={classes.word} gap={10} align="center" c="dimmed">
      {what !== '' && <Trail stage={stage} />}
      <span>
        {what !== '' && <b>{what} </b>}
        {rest}
      </span>
    </Flex>
  );
}
