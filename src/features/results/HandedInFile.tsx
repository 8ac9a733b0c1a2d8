import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconEye, IconFile, IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AnswerFile, FileAnswer } from '#contract/answers.ts';
import { answerFiles } from '#domain/answer-files.ts';
import { safeFileName } from '#domain/file-name.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { saveFile } from '#app/lib/files.ts';
import { describeFileFailure, fetchHandedIn } from '#app/lib/handed-in.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PictureViewer } from '#app/ui/overlays/PictureViewer.tsx';

/** The handed-in files of an answer in the student's order. */
export function HandedInFiles({ answer }: { answer: FileAnswer }) {
  const files = answerFiles(answer);
  return (
    <Stack gap="xs">
      {files.map((file, index) => (
        <HandedIn
          key={file.fileId}
          file={file}
          position={files.length > 1 ? `Файл ${index + 1} из ${files.length}` : null}
        />
      ))}
    </Stack>
  );
}

/** A handed-in file: pictures are opened, other files downloaded. */
function HandedIn({ file, position }: { file: AnswerFile; position: string | null }) {
  const { fileId, name, size, mimeType } = file;
  const [isWrong, setWrong] = useState(false);
  const load = useMutation({
    mutationFn: async (onFile: (blob: Blob) => void) => onFile(await fetchHandedIn(fileId)),
    onMutate: () => setWrong(false),
  });
  const [opened, setOpened] = useState<string | null>(null);
  useEffect(
    () => () => {
      if (opened !== null) URL.revokeObjectURL(opened);
    },
    [opened],
  );
  const isPicture = isShownPicture(mimeType);
  const icon = isPicture ? IconPhoto : IconFile;
  /** The type is detected from the content: a name and a declared MIME type can be wrong. */
  const open = (blob: Blob) =>
    isShownPicture(blob.type) ? setOpened(URL.createObjectURL(blob)) : setWrong(true);
  const problem = isWrong
    ? 'Это не картинка: файл можно только скачать.'
    : load.error && describeFileFailure(load.error);
  return (
    <Group gap="0.5rem 0.75rem" px={14} py="sm" bd="1px solid var(--app-line)" bdrs="md">
      <Icon of={icon} />
      <Text flex={1} miw={0} fw={500} className="break-anywhere">
        {position !== null && <strong>{`${position}: `}</strong>}
        <span>{name}</span>{' '}
        <Text span inherit c="dimmed" fw={400} className="nowrap">
          {formatSize(size)}
        </Text>
      </Text>
      <Group flex="1 0 100%" gap="xs">
        {isPicture && (
          <Button
            variant="default"
            size="sm"
            loading={load.isPending}
            leftSection={<Icon of={IconEye} />}
            aria-label={`Открыть файл ${name}`}
            onClick={() => load.mutate(open)}
          >
            Открыть
          </Button>
        )}
        <Button
          variant="default"
          size="sm"
          loading={load.isPending}
          leftSection={<Icon of={IconDownload} />}
          aria-label={`Скачать файл ${name}`}
          onClick={() => load.mutate((blob) => saveFile(blob, safeFileName(name)))}
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
