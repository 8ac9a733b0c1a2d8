import { Box, Flex } from '@mantine/core';
import { IconCheck, IconDeviceMobile } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { Icon } from '#app/ui/Icon.tsx';

export interface VerdictPanelProps {
  /** `wait`: «Не закрывайте», yellow. `done`: «Можно закрывать», green. */
  verdict: 'wait' | 'done';
  /** One sentence in large type, the page's h1. */
  heading: string;
  /** Lets the page focus it. */
  headingRef?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

/** Whether the app may be closed after a finish. Changes are spoken at once. */
export function VerdictPanel({ verdict, heading, headingRef, children }: VerdictPanelProps) {
  const [icon, tone] = verdict === 'done' ? [IconCheck, 'ok'] : [IconDeviceMobile, 'warn'];
  const soft = `var(--app-${tone}-soft)`;
  return (
    <Box
      component="section"
      bg={soft}
      className="line-below"
      // Its words stand over the column of 680 px below.
      p="1.25rem max(var(--app-side), calc(50% - 340px + 1rem))"
      aria-live="polite"
    >
      <Flex
        align="center"
        justify="center"
        w={56}
        h={56}
        mb={14}
        bdrs="lg"
        bg={`var(--app-${tone}-text)`}
        c={soft}
      >
        <Icon of={icon} size={30} />
      </Flex>
      <h1 ref={headingRef} tabIndex={-1}>
        {heading}
      </h1>
      {children && (
        <Box mt="xs" fz="sm" lh="lg">
          {children}
        </Box>
      )}
    </Box>
  );
}
