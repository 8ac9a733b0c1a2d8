import { Box, Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';

const AFTER_MS = 300;

const LINES = [
  { w: '72%', h: 14 },
  { w: '44%', h: 14 },
  { w: '28%', h: 20 },
] as const;

/** Replaces content that is loading. Shown after 300 ms, so that a fast reply never flickers. */
export function Skeleton({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <VisuallyHidden component="output" data-waiting>
        Загружаем
      </VisuallyHidden>
      {isShown && children}
    </>
  );
}

/** Placeholders for rows that are loading. */
export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div>
      <Skeleton>
        {Array.from({ length: rows }, (_, row) => (
          <Stack key={row} className="line-below" gap="xs" py={14} data-skeleton aria-hidden>
            {LINES.map((line) => (
              <Box key={line.w} component="span" {...line} bdrs="xs" bg="var(--app-line)" />
            ))}
          </Stack>
        ))}
      </Skeleton>
    </div>
  );
}
