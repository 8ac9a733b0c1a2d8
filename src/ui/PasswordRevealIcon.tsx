import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** The icon of a password field's toggle. */
export function PasswordRevealIcon({ reveal }: { reveal: boolean }) {
  const Icon = reveal ? IconEyeOff : IconEye;
  return <Icon size={20} stroke={1.75} aria-hidden />;
}
