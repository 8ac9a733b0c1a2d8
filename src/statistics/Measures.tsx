import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconEqual,
  IconKey,
  IconTrendingDown,
  IconX,
} from '@tabler/icons-react';
import type { ItemReading } from '#contract/statistics.ts';
import { formatPercent } from '#domain/format.ts';
import { itemReadingLabel } from '#domain/labels-statistics.ts';
import type { IconType } from '#app/ui/icon-type.ts';
import { ShareBar } from '#app/ui/ShareBar.tsx';
import classes from './Statistics.module.css';

/** A part of the whole as bar and figure. */
export function FacilityBar({ facility }: { facility: number | null }) {
  if (facility === null) return '–';
  return (
    <span className={classes.measure}>
      <ShareBar share={facility} />
      {formatPercent(facility)}
    </span>
  );
}

/** A correlation as a place between −1 and 1, and as a figure. */
export function DiscriminationMark({ value }: { value: number | null }) {
  if (value === null) return '–';
  return (
    <span className={classes.measure}>
      <span className={classes.scale} aria-hidden>
        <span style={{ left: `${(value + 1) * 50}%` }} />
      </span>
      {value.toFixed(2).replace('.', ',').replace('-', '−')}
    </span>
  );
}

const SIGNS: Readonly<Record<ItemReading, readonly [icon: IconType, tone: string]>> = {
  works: [IconCheck, 'ok'],
  tooEasy: [IconEqual, 'quiet'],
  tooHard: [IconTrendingDown, 'warn'],
  weak: [IconAlertTriangle, 'warn'],
  checkKey: [IconKey, 'bad'],
  tooFew: [IconCircleDashed, 'quiet'],
  unscored: [IconX, 'quiet'],
};

/** The verdict on a question: icon and word. */
export function Verdict({ reading }: { reading: ItemReading }) {
  const [Icon, tone] = SIGNS[reading];
  return (
    <span className={classes.verdict} data-tone={tone}>
      <Icon size={20} stroke={1.75} aria-hidden />
      {itemReadingLabel(reading)}
    </span>
  );
}
