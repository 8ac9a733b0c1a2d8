import { useState, type ReactNode } from 'react';
import * as v from 'valibot';
import { ShortcutsContext } from '#app/ui/shortcuts.ts';
import { openLocalStorage } from './local-storage.ts';
import { logProblem } from './log.ts';
import { useSession } from './session/session-context.ts';

/** The ids of people who have switched them off on this device. */
const KEY = 'shortcutsOff';
const Ids = v.array(v.string());

function readOff(): readonly string[] {
  try {
    return v.parse(Ids, JSON.parse(openLocalStorage().getItem(KEY) ?? '[]'));
  } catch (cause) {
    logProblem('Настройку клавиш не прочитать', { cause });
    return [];
  }
}

/** Remembers for each person on this device whether shortcuts of one letter or digit are on. */
export function ShortcutsProvider({ children }: { children: ReactNode }) {
  const owner = useSession()?.user.userId ?? '';
  const [off, setOff] = useState(readOff);
  const setOn = (isOn: boolean) => {
    const others = off.filter((id) => id !== owner);
    const next = isOn ? others : [...others, owner];
    setOff(next);
    try {
      openLocalStorage().setItem(KEY, JSON.stringify(next));
    } catch (cause) {
      logProblem('Настройку клавиш не записать', { cause });
    }
  };
  return (
    <ShortcutsContext value={{ isOn: !off.includes(owner), setOn }}>{children}</ShortcutsContext>
  );
}
