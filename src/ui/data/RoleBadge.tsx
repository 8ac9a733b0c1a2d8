import { IconSchool, IconShieldLock, IconUser } from '@tabler/icons-react';
import { roleLabel, type RoleNumber } from '#domain/labels.ts';
import type { IconType } from '#app/ui/Icon.tsx';
import { StatePill, type Tone } from './StatePill.tsx';

const SIGNS: Readonly<Record<RoleNumber, { icon: IconType; tone: Tone }>> = {
  0: { icon: IconUser, tone: 'info' },
  1: { icon: IconShieldLock, tone: 'bad' },
  2: { icon: IconSchool, tone: 'ok' },
};

/** The role of a person; the number is the one on the wire. */
export function RoleBadge({ role }: { role: RoleNumber }) {
  const { icon, tone } = SIGNS[role];
  return (
    <StatePill icon={icon} tone={tone}>
      {roleLabel(role)}
    </StatePill>
  );
}
