import { IconAlertTriangle } from '@tabler/icons-react';
import { formatShortMoment } from '#domain/format-time.ts';
import { draftWords, type DraftPlace } from '#domain/labels-draft.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { Trail, type TrailStage } from '#app/ui/Trail.tsx';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';
import type { Draft, DraftState } from './draft.ts';
import classes from './DraftLine.module.css';

const STAGES: Readonly<Record<DraftPlace, TrailStage | null>> = {
  server: 'server',
  sending: 'sending',
  device: 'device',
  offline: 'device',
  memory: null,
  refused: null,
  gone: null,
};
const SPOKEN_EVERY_MS = 10_000;

const placeOf = (state: DraftState): DraftPlace =>
  state.kind === 'device' && state.isOffline ? 'offline' : state.kind;

/** Where the working copy is, with the trail. Changes are spoken at most once in ten seconds. */
export function DraftLine({ draft: { state } }: { draft: Pick<Draft, 'state'> }) {
  const { serverNow, timeZone } = useDevice();
  const place = placeOf(state);
  const stage = STAGES[place];
  const clock = 'at' in state ? formatShortMoment(state.at, serverNow(), timeZone) : '';
  // The time alone is no news.
  const spoken = useThrottledText(draftWords(place, '').replace(/, $/, ''), SPOKEN_EVERY_MS);
  return (
    <span className={classes.line} data-place={place}>
      {stage === null ? (
        <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      ) : (
        <Trail stage={stage} />
      )}
      <span className={classes.words}>{draftWords(place, clock)}</span>
      <span className={classes.spoken} role="status">
        {spoken}
      </span>
    </span>
  );
}
