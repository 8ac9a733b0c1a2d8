import { Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

/** One part of the settings under its heading. */
export function SettingsSection({
  id,
  heading,
  headingRef,
  isLast = false,
  children,
}: {
  id: string;
  heading: string;
  /** So that the focus may be moved to it. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** Above the bar, which has a line of its own from a desktop's width. */
  isLast?: boolean;
  children: ReactNode;
}) {
  return (
    <Stack
      component="section"
      pt="xs"
      pb="lg"
      className="line-below"
      bd={isLast ? { md: 'none' } : undefined}
      aria-labelledby={id}
    >
      <h2 id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {heading}
      </h2>
      {children}
    </Stack>
  );
}
