import { Button } from '@mantine/core';
import { IconDownload, IconShare2 } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { useDevice } from './device-context.ts';

/** The quiet entry of the menu that puts the app onto the home screen. */
export function InstallEntry() {
  const { install } = useDevice();
  const way = useSyncExternalStore(install.subscribe, install.way);
  if (way === 'none') return null;
  if (way === 'iosHint') {
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
      leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
      onClick={() => void install.ask()}
    >
      Установить приложение
    </Button>
  );
}
