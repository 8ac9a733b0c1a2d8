import { Box, Flex, Paper, Text, VisuallyHidden } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCloudOff,
  IconDeviceMobile,
  IconHourglassEmpty,
  IconLock,
  IconPencil,
} from '@tabler/icons-react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';
import type { BoardCounts } from './rules.ts';
import { countLabels, formatCounts } from './messages.ts';

const ANNOUNCE_INTERVAL_MS = 10_000;

/** Two in a row on phones, or one where a larger word needs the width. */
function Count({ icon, n, words }: { icon: IconType; n: number; words: string }) {
  return (
    <Flex
      component="li"
      align="center"
      wrap="wrap"
      gap="0 var(--mantine-spacing-xs)"
      flex={{ base: '1 1 calc(50% - 1px)', sm: '1 1 auto' }}
      mih={{ base: 48, sm: 52 }}
      px={{ base: 12, sm: 18 }}
      py="xs"
      bg="var(--app-surface)"
      c="dimmed"
      fz={15}
      lh={1.3}
    >
      <Box component="span" lh={0} c="var(--app-text)">
        <Icon of={icon} />
      </Box>
      <Text
        component="b"
        inherit
        c="var(--app-text)"
        fz={{ base: 20, sm: 22 }}
        fw={600}
        className="tabular"
      >
        {n}
      </Text>{' '}
      <span>{words}</span>
    </Flex>
  );
}

/** Counts of students by state, and of unsent answers on devices. */
export function CountsStrip({ counts }: { counts: BoardCounts }) {
  const announcement = useThrottledText(formatCounts(counts), ANNOUNCE_INTERVAL_MS);
  const { writing, finished, notStarted, offline, timeOver, closed, missing } = counts;
  return (
    <>
      <Paper
        component="ul"
        display="flex"
        className="clip"
        bg="var(--app-line)"
        style={{ flexWrap: 'wrap', gap: 1 }}
        aria-label="Итог"
      >
        <Count icon={IconPencil} n={writing} words={countLabels.writing(writing)} />
        <Count icon={IconCircleCheck} n={finished} words={countLabels.finished(finished)} />
        <Count icon={IconCircleDashed} n={notStarted} words={countLabels.notStarted(notStarted)} />
        <Count icon={IconCloudOff} n={offline} words={countLabels.offline()} />
        {timeOver > 0 && (
          <Count icon={IconHourglassEmpty} n={timeOver} words={countLabels.timeOver()} />
        )}
        {closed > 0 && <Count icon={IconLock} n={closed} words={countLabels.closed(closed)} />}
        <Count
          icon={IconDeviceMobile}
          n={missing}
          words={countLabels.missing(missing, counts.missingStudents)}
        />
      </Paper>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
    </>
  );
}
