import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** From desktop on, the content of a card stands off its frame. */
export const INSET = { px: { md: 'md' } } as const;

/** A card from desktop on; below, its content without a frame. */
export const Card = ({ labelledBy, children }: { labelledBy?: string; children: ReactNode }) => (
  <Box
    component="section"
    aria-labelledby={labelledBy}
    miw={0}
    py={{ md: 'md' }}
    bd={{ md: '1px solid var(--app-line)' }}
    bdrs="lg"
    bg={{ md: 'var(--app-surface)' }}
  >
    {children}
  </Box>
);

interface CardHeadProps {
  heading: string;
  id?: string;
  children: ReactNode;
}

/** Heading of a card, with its count beside it. */
export const CardHead = ({ heading, id, children }: CardHeadProps) => (
  <Group {...INSET} align="baseline" justify="space-between" gap="0.25rem 1rem" mb={8}>
    <h2 id={id}>{heading}</h2>
    <Text span size="sm" c="dimmed" className="tabular">
      {children}
    </Text>
  </Group>
);

/** Shown instead of a card's content. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <Text {...INSET} c="dimmed" py="xs">
    {children}
  </Text>
);
