import { IconLock } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { useUnreadable } from './use-unreadable.ts';

/** Says that something which this person left encrypted on this device does not open. */
export function UnreadableNote() {
  if (useUnreadable() === 0) return null;
  return (
    <InlineNote tone="warn" icon={IconLock} role="status">
      На этом устройстве лежат ваши ответы, которые не удалось открыть. Они не удалены. Не очищайте
      данные браузера и скажите преподавателю.
    </InlineNote>
  );
}
