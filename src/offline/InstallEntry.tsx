import { Button } from '@mantine/core';
import { IconDownload, IconShare2 } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { useDevice } from '#app/lib/device-services.ts';

/** Menu item that installs the app. */
export function InstallEntry() {
  const { install } = useDevice();
  const method = useSyncExternalStore(install.subscribe, install.method);
  if (method === 'none') return null;
  if (method === 'iosHint') {
    return (
      <InlineNote tone="plain" icon={IconShare2}>
        Чтобы тесты открывались и без сети, добавьте приложение на экран: «Поделиться», затем «На
        экран „Домой“».
      </InlineNote>
    );
  }
  return (
    <Button
      variant="subtle"
      fullWidth
      justify="flex-start"
      leftSection={<Icon of={IconDownload} />}
      onClick={() => void install.ask()}
    >
      Установить приложение
    </Button>
  );
}
