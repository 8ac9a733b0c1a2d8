import { VisuallyHidden } from '@mantine/core';
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
import { useThrottledText } from '#app/ui/taking/use-throttled-text.ts';
import classes from './Board.module.css';
import type { Counts } from './rules.ts';
import { countLabels, formatCounts } from './messages.ts';

const ANNOUNCE_INTERVAL_MS = 10_000;

function Count({ icon, n, words }: { icon: IconType; n: number; words: string }) {
  return (
    <li>
      <Icon of={icon} />
      <b>{n}</b> <span>{words}</span>
    </li>
  );
}

/** Counts of students by state, and of unsent answers on devices. */
export function CountsStrip({ counts }: { counts: Counts }) {
  const announcement = useThrottledText(formatCounts(counts), ANNOUNCE_INTERVAL_MS);
  const { writing, finished, notStarted, offline, timeOver, closed, missing } = counts;
  return (
    <>
      <ul className={classes.counts} aria-label="Итог">
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
      </ul>
      <VisuallyHidden component="output">{announcement}</VisuallyHidden>
    </>
  );
}
