import {
  Box,
  Group,
  Stack,
  Text,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useId } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import classes from './SchemeSwitch.module.css';

const SCHEMES: readonly { scheme: MantineColorScheme; label: string; icon: IconType }[] = [
  { scheme: 'auto', label: 'Как в системе', icon: IconDeviceDesktop },
  { scheme: 'light', label: 'Светлое', icon: IconSun },
  { scheme: 'dark', label: 'Тёмное', icon: IconMoon },
];

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <Box component="fieldset" mt="sm">
      <Text component="legend" size="sm" c="dimmed" pb="xs">
        Оформление
      </Text>
      <Group className={classes.choices} gap={0} wrap="nowrap" align="stretch">
        {SCHEMES.map(({ scheme, label, icon }) => (
          <Stack
            key={scheme}
            component="label"
            className={classes.choice}
            gap={2}
            align="center"
            justify="center"
          >
            <input
              type="radio"
              name={name}
              className="hit-area"
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            <Icon of={icon} />
            <span>{label}</span>
          </Stack>
        ))}
      </Group>
    </Box>
  );
}
