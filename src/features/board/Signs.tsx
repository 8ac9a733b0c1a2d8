import { Flex, Text, VisuallyHidden } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCloudOff,
  IconDeviceMobile,
  IconLock,
  IconWifi,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { BoardRow } from '#contract/board.ts';
import { formatElapsed } from '#domain/format-time.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';
import { Trail } from '#app/ui/taking/Trail.tsx';
import classes from './Board.module.css';
import { contactOf, missingOf } from './rules.ts';
import { formatContact, describeLastContact, missingLabel, boardStateLabel } from './messages.ts';

/** Questions with an answer on the server as figures, with a bar where it has the width. */
export function Answered({ row, barWidth }: { row: BoardRow; barWidth?: string | undefined }) {
  const { answered, totalQuestions } = row;
  const share = totalQuestions === 0 ? 0 : Math.min(1, answered / totalQuestions);
  return (
    <Flex
      component="span"
      display="inline-flex"
      gap={10}
      align="center"
      className="tabular"
      style={{ '--app-chart': 'var(--app-primary)' }}
    >
      {row.state === 'running' && barWidth !== undefined && (
        <ShareBar share={share} width={barWidth} />
      )}
      <Text span inherit c="dimmed" ta="end" miw="2.75rem" className="nowrap">
        <Text component="b" inherit c="var(--app-text)" fw={500}>
          {answered}
        </Text>
        <span aria-hidden>/{totalQuestions}</span>
        <VisuallyHidden> из {totalQuestions}</VisuallyHidden>
      </Text>
    </Flex>
  );
}

function Sign({ tone, children }: { tone?: 'ok' | 'warn' | undefined; children: ReactNode }) {
  return (
    <Flex
      component="span"
      className={cx('tabular', classes.sign)}
      display="inline-flex"
      align="center"
      gap={5}
      c={tone ? `var(--app-${tone}-text)` : 'dimmed'}
      fw={tone && 500}
    >
      {children}
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
    <Sign tone={row.state === 'finished' ? 'ok' : undefined}>
      <Icon of={icon} size={16} />
      {boardStateLabel(row, timeZone)}
    </Sign>
  );
}

/** Text of the device's connection state. */
export function Contact({ row, now }: { row: BoardRow; now: number }) {
  const { kind } = contactOf(row, now);
  if (kind === 'none') return <AttemptState row={row} />;
  const isOffline = kind === 'offline';
  const icon = isOffline ? IconCloudOff : IconWifi;
  return (
    <Sign tone={isOffline ? 'warn' : undefined}>
      <Icon of={icon} />
      {formatContact(row, now)}
    </Sign>
  );
}

/** The compact form for a narrow column: an icon while online, else the age. */
export function ShortContact({ row, now }: { row: BoardRow; now: number }) {
  const contact = contactOf(row, now);
  const missing = missingOf(row);
  return (
    <>
      {missing > 0 && (
        <Sign>
          <Icon of={IconDeviceMobile} size={16} />
          <span aria-hidden>{missing}</span>
          <VisuallyHidden>{missingLabel(row)} на устройстве</VisuallyHidden>
        </Sign>
      )}
      {contact.kind === 'fresh' && (
        <Sign>
          <Icon of={IconWifi} />
          <VisuallyHidden>на связи</VisuallyHidden>
        </Sign>
      )}
      {contact.kind === 'quiet' && (
        <Sign>
          <VisuallyHidden>на связи </VisuallyHidden>
          {formatElapsed(contact.ageMs)}
        </Sign>
      )}
      {contact.kind === 'offline' && (
        <Sign tone="warn">
          <Icon of={IconCloudOff} size={16} />
          <VisuallyHidden>нет связи </VisuallyHidden>
          {formatElapsed(contact.ageMs)}
        </Sign>
      )}
    </>
  );
}

/** What the device reported as unsent and when, or for how long it has been in transit. */
export function LastContact({ row, now }: { row: BoardRow; now: number }) {
  const { timeZone } = useDevice();
  const { stage, what, rest } = describeLastContact(row, now, timeZone);
  return (
    <Flex component="span" gap={10} style={{ gridColumn: '1 / -1' }} align="center" c="dimmed">
      {what !== '' && <Trail stage={stage} />}
      <span>
        {what !== '' && (
          <Text component="b" inherit c="var(--app-text)" fw={500}>
            {what}{' '}
          </Text>
        )}
        {rest}
      </span>
    </Flex>
  );
}
