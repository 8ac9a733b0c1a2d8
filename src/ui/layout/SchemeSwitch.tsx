import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
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
    <fieldset className={classes.field}>
      <legend>Оформление</legend>
      <div className={classes.choices}>
        {SCHEMES.map(({ scheme, label, icon }) => (
          <label key={scheme} className={classes.choice}>
            <input
              type="radio"
              name={name}
              className={classes.radio}
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            <Icon of={icon} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
