import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { cx } from '#app/ui/cx.ts';
import type { Layout } from './layout.ts';
import classes from './ProjectCards.module.css';

const AFTER_MS = 300;
const CARDS = 6;

/** Skeleton of the cards; shown after 300 ms, so that a fast reply does not flicker. */
export function CardsSkeleton({ layout }: { layout: Layout }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <VisuallyHidden component="output">Загружаем</VisuallyHidden>
      {isShown && (
        <div className={classes.list} data-layout={layout} aria-hidden>
          {Array.from({ length: CARDS }, (_, card) => (
            <div key={card} className={cx(classes.card, classes.skeleton)}>
              <div className={cx('squared', classes.cover)} />
              <div className={classes.about}>
                <span className={classes.bar} />
                <span className={classes.bar} />
                <span className={classes.bar} />
              </div>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
