import { Button, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { giveFile } from '#app/lib/answers-file.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { formatReceiptsFile } from './handover.ts';

export interface SaveReceiptsProps {
  userName: string;
  /** Encrypted for the student's device, base64. */
  receipts: readonly string[];
}

/** Gives the receipts of a handover as a file, for a device without a camera. */
export function SaveReceipts({ userName, receipts }: SaveReceiptsProps) {
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        leftSection={<Icon of={IconDownload} />}
        onClick={() => void giveFile(formatReceiptsFile(receipts), ['Подтверждение', userName])}
      >
        Сохранить подтверждение
      </Button>
      <Text size="sm" c="dimmed">
        Передайте этот файл ученику. Он откроет «Где мои ответы», «Передать ответы через камеру»,
        «Прочитать подтверждение» и выберет файл. Можно и без него: подтверждение придёт по сети.
      </Text>
    </Stack>
  );
}
