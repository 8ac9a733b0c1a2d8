import {
  IconDownload,
  IconEraser,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconShieldCheck,
  IconShieldOff,
  IconUserCog,
  IconUserShare,
} from '@tabler/icons-react';
import type { AdminUser } from '#contract/admin.ts';
import type { MenuEntry } from '#app/ui/overlays/MenuButton.tsx';

/** Actions on an account; `unblock` runs at once, the others need confirmation. */
export type UserAction =
  | 'role'
  | 'edit'
  | 'block'
  | 'unblock'
  | 'password'
  | 'factors'
  | 'codes'
  | 'teaching'
  | 'data'
  | 'erase';

const LAST_ADMIN = 'Это последний администратор. Сначала назначьте ещё одного';

const OWN: Readonly<Partial<Record<UserAction, string>>> = {
  role: 'Вашу роль меняет другой администратор',
  block: 'Вашу учётную запись блокирует другой администратор',
  password: 'Свой пароль меняют на странице «Профиль»',
  factors: 'Свои способы входа меняют на странице «Профиль»',
  codes: 'Смените свой пароль на странице «Профиль»: коды снова будут приниматься',
  erase: 'Свою учётную запись стирают на странице «Профиль»',
};
const NO_FACTOR = 'Вход в два шага здесь не включён';
const FOR_LAST_ADMIN: readonly UserAction[] = ['role', 'block', 'erase'];

/** Why an action is disabled; null: enabled. */
export function reasonAgainst(action: UserAction, user: AdminUser, ownId: string): string | null {
  const isOwn = user.userId === ownId;
  // Being the last administrator is the more important reason: nobody else could undo it.
  if (user.isLastAdmin && FOR_LAST_ADMIN.includes(action)) return LAST_ADMIN;
  if (isOwn) return OWN[action] ?? null;
  return action === 'factors' && !user.hasSecondFactor ? NO_FACTOR : null;
}

/**
 * The menu of one account. Disabled actions show the reason. The property of an erased account can only be passed on.
 */
export function userActions(
  user: AdminUser,
  ownId: string,
  onAction: (action: UserAction) => void,
): (MenuEntry | 'line')[] {
  const entry = (action: UserAction, label: string, icon: MenuEntry['icon']): MenuEntry => ({
    icon,
    label,
    reason: reasonAgainst(action, user, ownId),
    onClick: () => onAction(action),
  });
  const teaching = entry('teaching', 'Передать тесты и классы…', IconUserShare);
  if (user.erasedAt !== undefined) return [teaching];
  return [
    entry('role', 'Изменить роль…', IconUserCog),
    entry('edit', 'Изменить имя и почту…', IconPencil),
    entry('password', 'Сбросить пароль…', IconKey),
    entry('factors', 'Сбросить вход в два шага…', IconShieldOff),
    ...(user.areCodesStopped ? [entry('codes', 'Снова разрешить коды…', IconShieldCheck)] : []),
    user.isBlocked
      ? entry('unblock', 'Разблокировать', IconLockOpen)
      : entry('block', 'Заблокировать…', IconLock),
    'line',
    ...(user.ownsTeaching ? [teaching] : []),
    entry('data', 'Скачать данные…', IconDownload),
    entry('erase', 'Стереть учётную запись…', IconEraser),
  ];
}
