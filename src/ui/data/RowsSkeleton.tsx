import { Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import classes from './RowsSkeleton.module.css';

const AFTER_MS = 300;

/** Replaces content that is loading. Shown after 300 ms, so that a fast reply never flickers. */
export function Skeleton({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <VisuallyHidden component="output">Загружаем</VisuallyHidden>
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
          <Stack key={row} className={classes.row} gap="xs" data-skeleton aria-hidden>
            <span style={{ width: '72%' }} />
            <span style={{ width: '44%' }} />
            <span style={{ width: '28%' }} />
          </Stack>
        ))}
      </Skeleton>
    </div>
  );
}
