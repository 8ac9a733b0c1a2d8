import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';

export interface DefinitionRow {
  label: string;
  value: ReactNode;
  icon?: IconType | undefined;
}

/** Facts as rows with hairlines: icon, label, value at the right. */
export function DefinitionRows({ rows }: { rows: readonly DefinitionRow[] }) {
  return (
    <dl>
      {rows.map(({ label, value, icon }) => (
        <Group
          key={label}
          className="line-below"
          justify="space-between"
          gap="0 1rem"
          mih="3rem"
          py="xs"
        >
          <Group component="dt" gap="sm" wrap="nowrap">
            {icon && <Icon of={icon} />}
            {label}
          </Group>
          <Box
            component="dd"
            className="tabular break-anywhere"
            ms="auto"
            miw={0}
            ta="end"
            c="dimmed"
          >
            {value}
          </Box>
        </Group>
      ))}
    </dl>
  );
}
