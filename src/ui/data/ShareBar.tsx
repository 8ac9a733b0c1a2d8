import { Box } from '@mantine/core';

/** A share from 0 to 1 as a bar; the figure is text beside it. `width` is a CSS length. */
export function ShareBar({ share, width = '5rem' }: { share: number; width?: string }) {
  return (
    <Box
      component="span"
      display="inline-block"
      flex="none"
      w={width}
      h={8}
      bd="1px solid var(--app-control)"
      bdrs="xs"
      className="clip"
      aria-hidden
    >
      <Box component="span" display="block" w={`${share * 100}%`} h="100%" bg="var(--app-chart)" />
    </Box>
  );
}
