import { IconCloudOff } from '@tabler/icons-react';
import { formatAtMoment } from '#domain/format-time.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useDevice, useShownZone } from './device-services.ts';

/** Notes that the shown data is a cached copy, with its time. */
export function SavedAt({ savedAt }: { savedAt: string | null }) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  if (savedAt === null) return null;
  return (
    <InlineNote tone="plain" icon={IconCloudOff} role="status">
      Нет связи с сервером. Обновлено {formatAtMoment(new Date(savedAt), serverNow(), timeZone)}
    </InlineNote>
  );
}
