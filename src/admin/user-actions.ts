import {
  IconDownload,
  IconEraser,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconShieldOff,
  IconUserCog,
} from '@tabler/icons-react';
import { LAST_ADMIN_WORDS, OWN_ACCOUNT_WORDS } from '#contract/account-words.ts';
import type { AdminUser } from '#contract/admin.ts';
import type { MenuEntry } from '#app/ui/MenuButton.tsx';

/** What can be done with an account; `unblock` is done at once, the others ask. */
export type UserAction =
  | 'role'
  | 'edit'
  | 'block'
  | 'unblock'
  | 'password'
  | 'factors'
  | 'data'
  | 'erase';

const OWN: Readonly<Partial<Record<UserAction, string>>> = {
  role: OWN_ACCOUNT_WORDS,
  block: OWN_ACCOUNT_WORDS,
  password: 'Свой пароль меняют на странице «Профиль»',
  factors: 'Свои способы входа меняют на странице «Профиль»',
  erase: 'Свою учётную запись стирают на странице «Профиль»',
};
const NO_FACTOR = 'Вход в два шага здесь не включён';
const FOR_LAST_ADMIN: readonly UserAction[] = ['role', 'block', 'erase'];

/** Why something cannot be done with an account; null: it can. */
export function reasonAgainst(action: UserAction, user: AdminUser, ownId: string): string | null {
  const isOwn = user.userId === ownId;
  // That one is the last matters more: nobody else could help.
  if (user.isLastAdmin && FOR_LAST_ADMIN.includes(action)) return LAST_ADMIN_WORDS;
  if (isOwn) return OWN[action] ?? null;
  return action === 'factors' && !user.hasSecondFactor ? NO_FACTOR : null;
}

/** The menu of one account; what is impossible stays and says why. */
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
  return [
    entry('role', 'Изменить роль', IconUserCog),
    entry('edit', 'Изменить имя и почту', IconPencil),
    entry('password', 'Сбросить пароль', IconKey),
    entry('factors', 'Сбросить вход в два шага', IconShieldOff),
    user.isBlocked
      ? entry('unblock', 'Разблокировать', IconLockOpen)
      : entry('block', 'Заблокировать', IconLock),
    'line',
    entry('data', 'Скачать данные', IconDownload),
    entry('erase', 'Стереть учётную запись', IconEraser),
  ];
}
