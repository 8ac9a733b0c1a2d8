import { Box } from '@mantine/core';

/** Lists what the file format cannot contain. */
export const Losses = ({ of }: { of: readonly string[] }) => (
  <Box component="ul" mt={4} ps="xl" c="var(--app-warn-text)" fz="sm">
    {of.map((loss) => (
      <li key={loss}>{loss}</li>
    ))}
  </Box>
);
