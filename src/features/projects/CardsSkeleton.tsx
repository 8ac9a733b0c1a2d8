import { Box } from '@mantine/core';
import { Skeleton } from '#app/ui/data/RowsSkeleton.tsx';
import type { Layout } from './layout.ts';
import { ITEM, GRID, ROWS } from './layout.ts';

const CARDS = 6;
const BARS = [
  { w: '55%', h: 18 },
  { w: '100%', h: 14 },
  { w: '80%', h: 14 },
] as const;

/** Skeleton of the cards. */
export function CardsSkeleton({ layout }: { layout: Layout }) {
  const isRows = layout === 'rows';
  return (
    <Skeleton>
      <Box {...(isRows ? ROWS : GRID)} aria-hidden>
        {Array.from({ length: CARDS }, (_, card) => (
          <Box key={card} {...ITEM[layout]}>
            <Box className="squared line-below" mih={isRows ? 0 : '6.75rem'} miw={64} />
            <Box px={isRows ? 0 : 'md'} pt={14} miw={0}>
              {BARS.map((bar) => (
                <Box key={bar.w} {...bar} mb="sm" bdrs="xs" bg="var(--app-line)" />
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Skeleton>
  );
}
