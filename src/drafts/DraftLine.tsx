import { Box, Flex, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatShortMoment } from '#domain/format-time.ts';
import { draftLabel, type DraftLocation } from '#domain/labels-draft.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { Trail, type TrailStage } from '#app/ui/taking/Trail.tsx';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';
import type { DraftEditor, DraftState } from './draft.ts';

const STAGES: Readonly<Record<DraftLocation, TrailStage | null>> = {
  server: 'server',
  sending: 'sending',
  device: 'device',
  offline: 'device',
  memory: null,
  refused: null,
  gone: null,
};
const TONES: Partial<Record<DraftLocation, string>> = {
  refused: 'var(--app-warn-text)',
  gone: 'var(--app-warn-text)',
  memory: 'var(--app-bad-text)',
};
const SPOKEN_EVERY_MS = 10_000;

const placeOf = (state: DraftState): DraftLocation =>
  state.kind === 'device' && state.isOffline ? 'offline' : state.kind;

/** Delivery state of the working copy. Changes are announced at most once in ten seconds. */
export function DraftLine({ draft: { state } }: { draft: Pick<DraftEditor, 'state'> }) {
  const { serverNow, timeZone } = useDevice();
  const place = placeOf(state);
  const stage = STAGES[place];
  const clock = 'at' in state ? formatShortMoment(state.at, serverNow(), timeZone) : '';
  // A changed time alone is not announced.
  const spoken = useThrottledText(draftLabel(place, '').replace(/, $/, ''), SPOKEN_EVERY_MS);
  return (
    <Flex
      component="span"
      className="tabular"
      data-place={place}
      display="inline-flex"
      pos="relative"
      wrap="wrap"
      align="center"
      gap="xs"
      miw={0}
      fz={15}
      c={TONES[place] ?? 'dimmed'}
    >
      {stage === null ? <Icon of={IconAlertTriangle} /> : <Trail stage={stage} />}
      <Box component="span" flex="1 1 6rem">
        {draftLabel(place, clock)}
      </Box>
      <VisuallyHidden component="span" role="status">
        {spoken}
      </VisuallyHidden>
    </Flex>
  );
}
