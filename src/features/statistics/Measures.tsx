import { Box, Flex } from '@mantine/core';
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
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { ShareBar } from '#app/ui/data/ShareBar.tsx';

const MEASURE = { component: 'span', display: 'inline-flex', align: 'center', gap: 10 } as const;

/** A share as bar and figure. */
export function FacilityBar({ facility }: { facility: number | null }) {
  if (facility === null) return <span>–</span>;
  return (
    <Flex {...MEASURE}>
      <ShareBar share={facility} width="4rem" />
      {formatPercent(facility)}
    </Flex>
  );
}

const AXIS = 'linear-gradient(var(--app-control), var(--app-control)) no-repeat';

/** A correlation as a position between −1 and 1, and as a figure. */
export function DiscriminationMark({ value }: { value: number | null }) {
  if (value === null) return <span>–</span>;
  return (
    <Flex {...MEASURE}>
      <Box
        component="span"
        pos="relative"
        flex="none"
        w="3rem"
        h="0.75rem"
        style={{ background: `${AXIS} center / 1px 100%, ${AXIS} center / 100% 1px` }}
        aria-hidden
      >
        <Box
          component="span"
          pos="absolute"
          top="50%"
          left={`${(value + 1) * 50}%`}
          w={8}
          h={8}
          m={-4}
          bdrs="50%"
          bg="var(--app-text)"
        />
      </Box>
      {value.toFixed(2).replace('.', ',').replace('-', '−')}
    </Flex>
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

/** The verdict on a question: icon and label. */
export function Verdict({ reading }: { reading: ItemReading }) {
  const [icon, tone] = SIGNS[reading];
  return (
    <Flex {...MEASURE} gap="xs" c={`var(--app-${tone}-text)`} className="nowrap">
      <Icon of={icon} />
      {itemReadingLabel(reading)}
    </Flex>
  );
}
