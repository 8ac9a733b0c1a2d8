import { Button } from '@mantine/core';
import { IconDownload, IconFile } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FileAnswer } from '#contract/answers.ts';
import { safeFileName } from '#domain/file-name.ts';
import { isShownPicture } from '#domain/file-types.ts';
import { formatSize } from '#domain/format.ts';
import { failureWords, isNotFound } from '#app/offline/failure-words.ts';
import { fetchHandedIn, saveFile } from '#app/offline/files.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { PictureViewer } from '#app/ui/PictureViewer.tsx';
import classes from './grading.module.css';

const wordsOf = (error: unknown): string =>
  isNotFound(error)
    ? 'Файл не дошёл до сервера целиком: есть только его имя и размер.'
    : failureWords(error);

const fileQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['grading/file', fileId],
    queryFn: () => fetchHandedIn(fileId),
    staleTime: Infinity,
  });

/** The picture in the page; a tap shows it large. */
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
      <button
        type="button"
        className={classes.picture}
        aria-label={`Увеличить: ${name}`}
        onClick={() => setLarge(URL.createObjectURL(blob))}
      >
        <img ref={image} alt={`Работа ученика, файл ${name}`} />
      </button>
      {large !== null && <PictureViewer src={large} alt={name} onClose={close} />}
    </>
  );
}

/** A handed-in file: a picture stands in the page, any other file can be kept. */
export function ShownFile({ answer }: { answer: FileAnswer }) {
  const { fileId, name, size, mimeType } = answer;
  const client = useQueryClient();
  const isPicture = isShownPicture(mimeType);
  const wanted = fileQuery(fileId ?? '');
  const shown = useQuery({ ...wanted, enabled: fileId !== null && isPicture });
  const keep = useMutation({
    mutationFn: () => client.fetchQuery(wanted),
    onSuccess: (blob) => saveFile(blob, safeFileName(name)),
  });
  const error = keep.error ?? shown.error;
  return (
    <figure className={classes.file}>
      {/* By its content: a name and what a device says prove nothing. */}
      {shown.data && isShownPicture(shown.data.type) && <Picture blob={shown.data} name={name} />}
      <figcaption className={classes.fileName}>
        <IconFile size={20} stroke={1.75} aria-hidden />
        <span>
          {name} <span className={classes.dimmed}>{formatSize(size)}</span>
        </span>
        <Button
          variant="default"
          size="sm"
          loading={keep.isPending}
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          aria-label={`Скачать файл ${name}`}
          onClick={() => keep.mutate()}
        >
          Скачать
        </Button>
      </figcaption>
      <div role="alert">{error !== null && <FieldError>{wordsOf(error)}</FieldError>}</div>
    </figure>
  );
}
