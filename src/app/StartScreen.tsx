import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import classes from './StartScreen.module.css';

const SLOW_AFTER_MS = 3_000;

/** Painted first, so that a slow start does not leave the page blank. */
export function StartScreen() {
  const [isSlow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), SLOW_AFTER_MS, { autoInvoke: true });
  return (
    <>
      <PageSpinner />
      {isSlow && (
        <p className={classes.note} role="status">
          Память устройства отвечает долго. Подождите ещё немного: сохранённое на нём не пропало.
        </p>
      )}
    </>
  );
}
