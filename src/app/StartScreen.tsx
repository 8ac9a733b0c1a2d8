import { Box } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';

const SLOW_AFTER_MS = 3_000;

/** Painted first, so that a slow start does not leave the page blank. */
export function StartScreen() {
  const [isSlow, setSlow] = useState(false);
  useTimeout(() => setSlow(true), SLOW_AFTER_MS, { autoInvoke: true });
  return (
    <>
      <PageSpinner />
      {isSlow && (
        <Box component="p" pos="fixed" inset="auto 16px 20vh" ta="center" role="status">
          Память устройства отвечает долго. Подождите ещё немного: сохранённое на нём не пропало.
        </Box>
      )}
    </>
  );
}
