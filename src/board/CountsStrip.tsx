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
import type { IconType } from '#app/ui/icon-type.ts';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';
import classes from './Board.module.css';
import type { Counts } from './rules.ts';
import { countWords, spokenCounts } from './words.ts';

const SPOKEN_EVERY_MS = 10_000;

function Count({ icon: Icon, n, words }: { icon: IconType; n: number; words: string }) {
  return (
    <li>
      <Icon size={20} stroke={1.75} aria-hidden />
      <b>{n}</b> <span>{words}</span>
    </li>
  );
}

/** How many write, are done, have not begun, are not heard, and what devices hold. */
export function CountsStrip({ counts }: { counts: Counts }) {
  const spoken = useThrottledText(spokenCounts(counts), SPOKEN_EVERY_MS);
  const { writing, finished, notStarted, offline, timeOver, closed, missing } = counts;
  return (
    <>
      <ul className={classes.counts} aria-label="Итог">
        <Count icon={IconPencil} n={writing} words={countWords.writing(writing)} />
        <Count icon={IconCircleCheck} n={finished} words={countWords.finished(finished)} />
        <Count icon={IconCircleDashed} n={notStarted} words={countWords.notStarted(notStarted)} />
        <Count icon={IconCloudOff} n={offline} words={countWords.offline()} />
        {timeOver > 0 && (
          <Count icon={IconHourglassEmpty} n={timeOver} words={countWords.timeOver()} />
        )}
        {closed > 0 && <Count icon={IconLock} n={closed} words={countWords.closed(closed)} />}
        <Count
          icon={IconDeviceMobile}
          n={missing}
          words={countWords.missing(missing, counts.missingPupils)}
        />
      </ul>
      <VisuallyHidden component="output">{spoken}</VisuallyHidden>
    </>
  );
}
