import { IconFlask } from '@tabler/icons-react';
import { StatePill } from './StatePill.tsx';

/** Marks an attempt of a teacher or an administrator in lists. */
export function TrialPill() {
  return (
    <StatePill icon={IconFlask} tone="quiet">
      Пробная
    </StatePill>
  );
}
