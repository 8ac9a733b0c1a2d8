import { Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { cx } from '#app/ui/cx.ts';
import classes from './settings.module.css';

/** One part of the settings under its heading. */
export function SettingsSection({
  id,
  heading,
  headingRef,
  children,
}: {
  id: string;
  heading: string;
  /** So that the focus may be moved to it. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}) {
  return (
    <Stack
      component="section"
      pt="xs"
      pb="lg"
      className={cx('line-below', classes.section)}
      aria-labelledby={id}
    >
      <h2 id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {heading}
      </h2>
      {children}
    </Stack>
  );
}
