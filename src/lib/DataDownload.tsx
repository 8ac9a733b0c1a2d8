import { Button, VisuallyHidden } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { formatSize, formatSizeProgress } from '#domain/format.ts';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { useThrottledText } from '#app/ui/use-throttled-text.ts';
import { describeFailure } from './failure-messages.ts';
import { saveFile } from './files.ts';

interface Progress {
  received: number;
  /** Null: the size is unknown. */
  total: number | null;
}

/** Minimum interval of announcements: the shown text changes many times per second. */
const SPOKEN_EVERY_MS = 5_000;

export interface DataDownloadProps {
  label: string;
  /** Fetches the file; rejects with `ApiFailure`. */
  fetch: (options: {
    onProgress: (progress: Progress) => void;
    signal: AbortSignal;
  }) => Promise<{ blob: Blob; fileName: string }>;
  onDone?: () => void;
}

const formatProgress = ({ received, total }: Progress): string => {
  if (received === 0) return 'Сервер готовит файл';
  const size = total === null ? formatSize(received) : formatSizeProgress(received, total);
  return `Скачано ${size}`;
};

/** A button that downloads a file with progress. Leaving the page aborts it. */
export function DataDownload({ label, fetch, onDone }: DataDownloadProps) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaved, setSaved] = useState(false);
  const shown = progress === null ? '' : formatProgress(progress);
  const spoken = useThrottledText(shown, SPOKEN_EVERY_MS);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async () => {
    const abort = new AbortController();
    stop.current = abort;
    setProblem(null);
    setSaved(false);
    setProgress({ received: 0, total: null });
    try {
      const { blob, fileName } = await fetch({ onProgress: setProgress, signal: abort.signal });
      if (abort.signal.aborted) return;
      saveFile(blob, fileName);
      setSaved(true);
      onDone?.();
    } catch (error) {
      if (!abort.signal.aborted) setProblem(describeFailure(error));
    } finally {
      setProgress(null);
    }
  };
  return (
    <div>
      <Button
        variant="default"
        leftSection={<Icon of={IconDownload} />}
        loading={progress !== null}
        onClick={() => void start()}
      >
        {label}
      </Button>
      <p aria-hidden>{shown}</p>
      <VisuallyHidden component="output">
        {isSaved ? 'Файл скачан' : progress !== null && spoken}
      </VisuallyHidden>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
    </div>
  );
}
