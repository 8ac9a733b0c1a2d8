import { Button } from '@mantine/core';
import { IconDownload, IconEye, IconFile, IconPhoto } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { FileAnswer } from '#contract/answers.ts';
import { safeFileName } from '#domain/file-name.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { failureWords, isNotFound } from '#app/offline/failure-words.ts';
import { fetchHandedIn, saveFile } from '#app/offline/files.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { PictureViewer } from '#app/ui/PictureViewer.tsx';
import classes from './AttemptPreview.module.css';

/** A handed-in file: opened where it is a picture, else kept as a file. */
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
  const Icon = isPicture ? IconPhoto : IconFile;
  /** By its content: a name and what a device says prove nothing. */
  const open = (blob: Blob) =>
    isShownPicture(blob.type)
      ? setOpened(URL.createObjectURL(blob))
      : setProblem('Это не картинка: файл можно только скачать.');
  const take = (use: (blob: Blob) => void) => {
    setBusy(true);
    setProblem(null);
    fetchHandedIn(fileId)
      .then(use, (cause: unknown) =>
        setProblem(
          isNotFound(cause)
            ? 'Файл не дошёл до сервера целиком: есть только его имя и размер.'
            : failureWords(cause),
        ),
      )
      .finally(() => setBusy(false));
  };
  return (
    <div className={classes.file}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <p className={classes.fileName}>
        {name} <span className={classes.dimmed}>{formatSize(size)}</span>
      </p>
      <div className={classes.fileActions}>
        {isPicture && (
          <Button
            variant="default"
            size="sm"
            loading={isBusy}
            leftSection={<IconEye size={20} stroke={1.75} aria-hidden />}
            aria-label={`Открыть файл ${name}`}
            onClick={() => take(open)}
          >
            Открыть
          </Button>
        )}
        <Button
          variant="default"
          size="sm"
          loading={isBusy}
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          aria-label={`Скачать файл ${name}`}
          onClick={() => take((blob) => saveFile(blob, safeFileName(name)))}
        >
          Скачать
        </Button>
      </div>
      <div role="alert" className={classes.fileProblem}>
        {problem !== null && <FieldError>{problem}</FieldError>}
      </div>
      {opened !== null && <PictureViewer src={opened} alt={name} onClose={() => setOpened(null)} />}
    </div>
  );
}
