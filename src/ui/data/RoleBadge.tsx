import { IconSchool, IconShieldLock, IconUser } from '@tabler/icons-react';
import { roleLabel, type RoleNumber } from '#domain/labels.ts';
import { type Sign, StatePill } from './StatePill.tsx';

const SIGNS: Readonly<Record<RoleNumber, Sign>> = {
  0: { icon: IconUser, tone: 'info' },
  1: { icon: IconShieldLock, tone: 'bad' },
  2: { icon: IconSchool, tone: 'ok' },
};

/** The role of a person; the number is the one on the wire. */
export function RoleBadge({ role }: { role: RoleNumber }) {
  return <StatePill {...SIGNS[role]}>{roleLabel(role)}</StatePill>;
}
