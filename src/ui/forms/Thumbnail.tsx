import { Flex, type FlexProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The frame of a small picture, or of the icon in its place. */
export function Thumbnail({
  h = '3.5rem',
  fit,
  children,
}: {
  h?: FlexProps['h'];
  fit?: 'cover';
  children: ReactNode;
}) {
  return (
    <Flex
      component="span"
      className="squared filled"
      flex="none"
      align="center"
      justify="center"
      w="3.5rem"
      h={h}
      bd="1px solid var(--app-line)"
      bdrs="md"
      style={{ '--fit': fit }}
    >
      {children}
    </Flex>
  );
}
