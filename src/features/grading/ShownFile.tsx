import { Box, Button, Flex, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconDownload, IconFile } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FileAnswer, AnswerFile } from '#contract/answers.ts';
import { answerFiles } from '#domain/answer-files.ts';
import { safeFileName } from '#domain/file-name.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { saveFile } from '#app/lib/files.ts';
import { describeFileFailure, fetchHandedIn } from '#app/lib/handed-in.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { PictureViewer } from '#app/ui/overlays/PictureViewer.tsx';

const fileQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['handed-in-file', fileId],
    queryFn: () => fetchHandedIn(fileId),
    staleTime: Infinity,
  });

/** An inline picture; a tap enlarges it. */
function Picture({ blob, name }: { blob: Blob; name: string }) {
  const image = useRef<HTMLImageElement>(null);
  const [large, setLarge] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(blob);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  const close = () => {
    if (large !== null) URL.revokeObjectURL(large);
    setLarge(null);
  };
  return (
    <>
      <UnstyledButton
        className="self-start clip"
        maw="100%"
        miw="2.75rem"
        mih="2.75rem"
        bd="1px solid var(--app-line)"
        bdrs="md"
        style={{ cursor: 'zoom-in' }}
        aria-label={`Увеличить: ${name}`}
        onClick={() => setLarge(URL.createObjectURL(blob))}
      >
        <Box
          component="img"
          display="block"
          maw="100%"
          mah="24rem"
          ref={image}
          alt={`Работа ученика, файл ${name}`}
        />
      </UnstyledButton>
      {large !== null && <PictureViewer src={large} alt={name} onClose={close} />}
    </>
  );
}

/** The handed-in files of an answer in the student's order. */
export function ShownFiles({ answer }: { answer: FileAnswer }) {
  const files = answerFiles(answer);
  return (
    <Stack gap="md">
      {files.map((file, index) => (
        <ShownFile
          key={file.fileId}
          file={file}
          position={files.length > 1 ? `Файл ${index + 1} из ${files.length}` : null}
        />
      ))}
    </Stack>
  );
}

/** A handed-in file: pictures are shown inline, other files are downloaded. */
function ShownFile({ file, position }: { file: AnswerFile; position: string | null }) {
  const { fileId, name, size, mimeType } = file;
  const client = useQueryClient();
  const isPicture = isShownPicture(mimeType);
  const wanted = fileQuery(fileId);
  const shown = useQuery({ ...wanted, enabled: isPicture });
  const download = useMutation({
    mutationFn: () => client.fetchQuery(wanted),
    onSuccess: (blob) => saveFile(blob, safeFileName(name)),
  });
  const error = download.error ?? shown.error;
  return (
    <Flex component="figure" direction="column" gap="xs">
      {/* The type is detected from the content: a name and a declared MIME type can be wrong. */}
      {shown.data && isShownPicture(shown.data.type) && <Picture blob={shown.data} name={name} />}
      <Flex
        component="figcaption"
        gap="0.5rem 0.75rem"
        align="center"
        wrap="wrap"
        className="break-anywhere"
      >
        <Icon of={IconFile} />
        <span>
          {position !== null && <strong>{`${position}: `}</strong>}
          <span>{name}</span>{' '}
          <Text span size="sm" c="dimmed">
            {formatSize(size)}
          </Text>
        </span>
        <Button
          variant="default"
          size="sm"
          loading={download.isPending}
          leftSection={<Icon of={IconDownload} />}
          aria-label={`Скачать файл ${name}`}
          onClick={() => download.mutate()}
        >
          Скачать
        </Button>
      </Flex>
      <div role="alert">
        {error !== null && <FieldError>{describeFileFailure(error)}</FieldError>}
      </div>
    </Flex>
  );
}
