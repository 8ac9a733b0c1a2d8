import { IconLockOpen } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/InlineNote.tsx';

/** Says plainly that this address cannot work without a network. */
export function InsecureNote() {
  if (globalThis.isSecureContext) return null;
  return (
    <InlineNote icon={IconLockOpen}>
      Соединение не защищено: без сети приложение не откроется. Ответы всё равно сохраняются на
      устройстве; после выхода неотправленные лежат на нём незашифрованными. Адрес, который
      начинается с https, даст преподаватель.
    </InlineNote>
  );
}
