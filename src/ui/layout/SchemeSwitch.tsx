import {
  Box,
  Flex,
  Stack,
  Text,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useId } from 'react';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './SchemeSwitch.module.css';

const CHOICE = cx('frame-of-focus', classes.choice);

const CHOSEN = {
  bg: 'var(--app-primary-soft)',
  c: 'var(--app-primary-soft-text)',
  fw: 500,
} as const;

const SCHEMES: readonly { scheme: MantineColorScheme; label: string; icon: IconType }[] = [
  { scheme: 'auto', label: 'Как в системе', icon: IconDeviceDesktop },
  { scheme: 'light', label: 'Светлое', icon: IconSun },
  { scheme: 'dark', label: 'Тёмное', icon: IconMoon },
];

/** Light, dark, or the system's scheme. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <Box component="fieldset" mt="sm">
      <Text component="legend" size="sm" c="dimmed" pb="xs">
        Оформление
      </Text>
      <Flex p={3} bd="1px solid var(--app-control)" bdrs="md">
        {SCHEMES.map(({ scheme, label, icon }) => (
          <Stack
            key={scheme}
            component="label"
            pos="relative"
            flex="1 1 auto"
            gap={2}
            align="center"
            justify="center"
            mih="3.25rem"
            p="0.25rem 0.5rem"
            bdrs="sm"
            fz="xs"
            lh={1.2}
            ta="center"
            className={CHOICE}
            {...(colorScheme === scheme && CHOSEN)}
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
      </Flex>
    </Box>
  );
}
