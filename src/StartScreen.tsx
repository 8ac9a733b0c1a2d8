import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { PageSpinner } from './ui/PageSpinner.tsx';
import classes from './StartScreen.module.css';

const SLOW_AFTER_MS = 3_000;

/** The first thing painted: nothing that the app opens with may leave the page blank. */
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
