import type { EndReason } from '#app/lib/session/session-store.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';

const MESSAGES: Readonly<Partial<Record<EndReason, string>>> = {
  expired: 'Срок входа истёк. Войдите снова: ответы и правки на устройстве целы.',
  unauthorized:
    'Этот вход завершён: его закрыли на другом устройстве или сменили пароль. Войдите снова: ответы и правки на устройстве целы.',
  blocked:
    'Учётная запись заблокирована. Обратитесь к администратору школы: ответы на устройстве целы.',
};

/** Why a person who did not sign out has to sign in again. */
export function SignedOutNote({ reason }: { reason: EndReason }) {
  const message = MESSAGES[reason];
  return message === undefined ? null : <InlineNote role="status">{message}</InlineNote>;
}
