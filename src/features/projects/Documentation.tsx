import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { IconDownload, IconFileText } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { downloadFile } from '#contract/files.ts';
import type { ProjectFile } from '#contract/projects.ts';
import { formatSize, formatSizeProgress } from '#domain/format.ts';
import { download } from '#app/api/download.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { saveFile } from '#app/lib/files.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';

type State =
  | { kind: 'idle' }
  | { kind: 'loading'; received: number }
  | { kind: 'saved' }
  | { kind: 'failed'; error: unknown };

/** The documentation of a project: name, size, and a download with progress. */
export function Documentation({ file }: { file: ProjectFile }) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const take = async () => {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: 'loading', received: 0 });
    try {
      const { blob } = await download(
        downloadFile,
        { params: { key: file.key } },
        {
          signal: abort.signal,
          onProgress: ({ received }) => setState({ kind: 'loading', received }),
        },
      );
      saveFile(blob, file.name);
      setState({ kind: 'saved' });
    } catch (error) {
      if (!abort.signal.aborted) setState({ kind: 'failed', error });
    }
  };
  return (
    <Group gap="0 0.75rem">
      <Paper component="span" display="flex" p={9} radius="md" bg="transparent" c="dimmed">
        <Icon of={IconFileText} />
      </Paper>
      <Box lh={1.35} flex={1} miw={0} className="break-anywhere">
        <p>{file.name}</p>
        <Text size="sm" c="dimmed" className="tabular">
          {state.kind === 'loading'
            ? `Скачивается, ${formatSizeProgress(state.received, file.size)}`
            : formatSize(file.size)}
        </Text>
      </Box>
      <Button
        size="sm"
        variant="default"
        flex={{ md: '1 0 100%' }}
        mt={{ md: 'sm' }}
        leftSection={<Icon of={IconDownload} />}
        loading={state.kind === 'loading'}
        aria-label={`Скачать ${file.name}`}
        onClick={() => void take()}
      >
        Скачать
      </Button>
      <Box component="output" flex="1 0 100%" fz="sm" lh={1.43} c="dimmed" className="tabular">
        {state.kind === 'saved' && 'Файл скачан'}
      </Box>
      <Box role="alert" flex="1 0 100%">
        {state.kind === 'failed' && <FieldError>{describeFailure(state.error)}</FieldError>}
      </Box>
    </Group>
  );
}
