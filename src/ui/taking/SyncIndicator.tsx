import {
  IconAlertTriangle,
  IconCloudOff,
  IconCopy,
  IconDatabaseOff,
  IconDeviceMobile,
  IconLogin2,
} from '@tabler/icons-react';
import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { syncLabels, type SyncState } from '#domain/labels-answer.ts';
import { Announcer } from '#app/ui/Announcer.tsx';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import quiet from '#app/ui/QuietButton.module.css';
import { cx } from '#app/ui/cx.ts';
import classes from './SyncIndicator.module.css';
import { Trail } from './Trail.tsx';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';

const ICONS: Readonly<Partial<Record<SyncState, IconType>>> = {
  offline: IconCloudOff,
  silent: IconCloudOff,
  signedOut: IconLogin2,
  setAside: IconAlertTriangle,
  unstorable: IconDatabaseOff,
  secondTab: IconCopy,
  takenOver: IconDeviceMobile,
};

const BUTTON = cx('tap', quiet.button, classes.button);
const ANNOUNCE_EVERY_MS = 10_000;

export interface SyncIndicatorProps {
  state: SyncState;
  /** How many answers wait, are being sent, or were set aside. */
  count?: number;
  /** Opens «Где мои ответы». */
  onOpen: () => void;
}

/** Text for the live region. Sending is left out, since it would speak at every answer. */
function useSpokenState(state: SyncState, long: string): string {
  const [steady, setSteady] = useState({ state, long });
  if (state !== 'sending' && state !== steady.state) setSteady({ state, long });
  return useThrottledText(steady.long, ANNOUNCE_EVERY_MS);
}

/** Where the answers are, in the header, without alarm. */
export function SyncIndicator({ state, count = 0, onOpen }: SyncIndicatorProps) {
  const words = syncLabels(state, count);
  const spoken = useSpokenState(state, words.long);
  const icon = ICONS[state];
  return (
    <>
      <button type="button" className={BUTTON} data-state={state} onClick={onOpen}>
        {icon ? <Icon of={icon} /> : <Trail stage={state === 'delivered' ? 'server' : 'sending'} />}
        <span className={classes.short}>{words.short}</span>
        <span className={classes.long}>{words.long}</span>
        <VisuallyHidden>. Где мои ответы</VisuallyHidden>
      </button>
      <Announcer words={spoken} />
    </>
  );
}
