import { IconDatabaseOff } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';

/** Warns that this browser currently stores nothing, and what to do. */
export function StorageNote({ isDurable }: { isDurable: boolean }) {
  if (isDurable) return null;
  return (
    <InlineNote tone="bad" icon={IconDatabaseOff} role="status">
      Память браузера не отвечает: ответы сейчас хранит только сервер, для теста нужна сеть.
      Закройте браузер целиком и откройте снова, а из приватного режима выйдите. То, что было
      сохранено на устройстве, не пропало.
    </InlineNote>
  );
}
