import { Box, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Layout } from './layout.ts';
import classes from './ProjectCards.module.css';

const AFTER_MS = 300;
const CARDS = 6;
const BARS = [
  { w: '55%', h: 18 },
  { w: '100%', h: 14 },
  { w: '80%', h: 14 },
] as const;

/** Skeleton of the cards; shown after 300 ms, so that a fast reply does not flicker. */
export function CardsSkeleton({ layout }: { layout: Layout }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const isRows = layout === 'rows';
  return (
    <>
      <VisuallyHidden component="output">Загружаем</VisuallyHidden>
      {isShown && (
        <div className={isRows ? 'card-from-tablet' : classes.grid} aria-hidden>
          {Array.from({ length: CARDS }, (_, card) => (
            <div key={card} className={isRows ? classes.row : classes.card}>
              <Box className="squared line-below" mih={isRows ? 0 : '6.75rem'} miw={64} />
              <Box px={isRows ? 0 : 'md'} pt={14} miw={0}>
                {BARS.map((bar) => (
                  <Box key={bar.w} {...bar} mb="sm" bdrs="xs" bg="var(--app-line)" />
                ))}
              </Box>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
