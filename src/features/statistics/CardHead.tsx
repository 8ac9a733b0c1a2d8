import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Statistics.module.css';

interface CardHeadProps {
  heading: string;
  id?: string;
  children: ReactNode;
}

/** Heading of a card, and beside it what it counts. */
export const CardHead = ({ heading, id, children }: CardHeadProps) => (
  <Group
    className={classes.inset}
    align="baseline"
    justify="space-between"
    gap="0.25rem 1rem"
    mb={8}
  >
    <h2 id={id}>{heading}</h2>
    <Text span size="sm" c="dimmed" className="tabular">
      {children}
    </Text>
  </Group>
);

/** Instead of a card's content. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <Text className={classes.inset} c="dimmed" py="xs">
    {children}
  </Text>
);
