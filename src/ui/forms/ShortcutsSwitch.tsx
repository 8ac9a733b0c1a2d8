import { useShortcuts } from '#app/ui/shortcuts.ts';
import { SwitchField } from './SwitchField.tsx';

/** Switches shortcuts of one letter or digit on and off. */
export function ShortcutsSwitch() {
  const { isOn, setOn } = useShortcuts();
  return (
    <SwitchField
      label="Клавиши из одной буквы или цифры"
      description="Выключите, если вы диктуете голосом или часто нажимаете их случайно. Настройка хранится на этом устройстве."
      value={isOn}
      onChange={setOn}
    />
  );
}
