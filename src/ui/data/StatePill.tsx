import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

export type Tone = 'ink' | 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

/** How a state is shown beside its label. */
export interface Sign {
  icon: IconType;
  tone: Tone;
}

export interface StatePillProps extends Sign {
  children: ReactNode;
}

/** A state as icon, label and colour. */
export function StatePill({ icon, tone, children }: StatePillProps) {
  return (
    <Flex
      component="span"
      display="inline-flex"
      align="center"
      gap={6}
      mih={28}
      px="xs"
      py={3}
      bdrs="sm"
      bg={`var(--app-${tone}-soft)`}
      c={`var(--app-${tone}-text)`}
      fz="sm"
      fw={500}
      lh="sm"
      className="tabular"
      data-tone={tone}
    >
      <Icon of={icon} size={16} />
      <span>{children}</span>
    </Flex>
  );
}
