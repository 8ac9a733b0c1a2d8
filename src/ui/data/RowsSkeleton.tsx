import { Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './RowsSkeleton.module.css';

const AFTER_MS = 300;

/** Places of the rows that are being loaded; shown after 300 ms, so that a fast answer never blinks. */
export function RowsSkeleton({ rows = 5 }: { rows?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div>
      <VisuallyHidden component="output">Загружаем</VisuallyHidden>
      {shown &&
        Array.from({ length: rows }, (_, row) => (
          <Stack key={row} className={classes.row} gap="xs" data-skeleton aria-hidden>
            <span style={{ width: '72%' }} />
            <span style={{ width: '44%' }} />
            <span style={{ width: '28%' }} />
          </Stack>
        ))}
    </div>
  );
}
