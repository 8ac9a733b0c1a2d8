import { Box, Button, Group, Text } from '@mantine/core';
import { IconDownload, IconEye, IconFile, IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { FileAnswer } from '#contract/answers.ts';
import { safeFileName } from '#domain/file-name.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { describeFailure, isNotFound } from '#app/lib/failure-messages.ts';
import { fetchHandedIn, saveFile } from '#app/lib/files.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PictureViewer } from '#app/ui/overlays/PictureViewer.tsx';

/** A handed-in file: pictures are opened, other files downloaded. */
export function HandedInFile({ answer }: { answer: FileAnswer }) {
  const { fileId, name, size, mimeType } = answer;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  useEffect(
    () => () => {
      if (opened !== null) URL.revokeObjectURL(opened);
    },
    [opened],
  );
  if (fileId === null) return null;
  const isPicture = isShownPicture(mimeType);
  const icon = isPicture ? IconPhoto : IconFile;
  /** The type is detected from the content: a name and a declared MIME type can be wrong. */
  const open = (blob: Blob) =>
    isShownPicture(blob.type)
      ? setOpened(URL.createObjectURL(blob))
      : setProblem('Это не картинка: файл можно только скачать.');
  const load = (use: (blob: Blob) => void) => {
    setBusy(true);
    setProblem(null);
    fetchHandedIn(fileId)
      .then(use, (cause: unknown) =>
        setProblem(
          isNotFound(cause)
            ? 'Файл не дошёл до сервера целиком: есть только его имя и размер.'
            : describeFailure(cause),
        ),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Group gap="0.5rem 0.75rem" px={14} py="sm" bd="1px solid var(--app-line)" bdrs="md">
      <Icon of={icon} />
      <Text flex={1} miw={0} fw={500} className="break-anywhere">
        {name}{' '}
        <Text span inherit c="dimmed" fw={400} className="nowrap">
          {formatSize(size)}
        </Text>
      </Text>
      <Group flex="1 0 100%" gap="xs">
        {isPicture && (
          <Button
            variant="default"
            size="sm"
            loading={isBusy}
            leftSection={<Icon of={IconEye} />}
            aria-label={`Открыть файл ${name}`}
            onClick={() => load(open)}
          >
            Открыть
          </Button>
        )}
        <Button
          variant="default"
          size="sm"
          loading={isBusy}
          leftSection={<Icon of={IconDownload} />}
          aria-label={`Скачать файл ${name}`}
          onClick={() => load((blob) => saveFile(blob, safeFileName(name)))}
        >
          Скачать
        </Button>
      </Group>
      <Box role="alert" flex="1 0 100%" display={problem === null ? 'none' : undefined}>
        {problem !== null && <FieldError>{problem}</FieldError>}
      </Box>
      {opened !== null && <PictureViewer src={opened} alt={name} onClose={() => setOpened(null)} />}
    </Group>
  );
}
