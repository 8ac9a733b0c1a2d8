import { IconLockOpen } from '@tabler/icons-react';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';

/** Warns that the app cannot work offline at this address. */
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
