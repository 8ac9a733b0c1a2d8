import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { MenuEntry } from '#app/ui/overlays/MenuButton.tsx';

/** The menu entries that move a row of a list by one place. */
export const moveActions = (
  index: number,
  count: number,
  onMove: (to: number) => void,
): MenuEntry[] => [
  ...(index > 0 ? [{ icon: IconArrowUp, label: 'Выше', onClick: () => onMove(index - 1) }] : []),
  ...(index < count - 1
    ? [{ icon: IconArrowDown, label: 'Ниже', onClick: () => onMove(index + 1) }]
    : []),
];
