import { IconLock } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useUnreadable } from './use-unreadable.ts';

/** Warns that encrypted rows of this person cannot be decrypted. */
export function UnreadableNote() {
  if (useUnreadable() === 0) return null;
  return (
    <InlineNote tone="warn" icon={IconLock} role="status">
      На этом устройстве лежат ваши ответы, которые не удалось открыть. Они не удалены. Не очищайте
      данные браузера и скажите преподавателю.
    </InlineNote>
  );
}
