import { Group, Input, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconFile, IconPhoto, IconUpload } from '@tabler/icons-react';
import { useId, useState, type Ref } from 'react';
import { formatAcceptedTypes, fileProblem } from '#domain/accepted-file.ts';
import { formatSize } from '#domain/format.ts';
import { BlobImage } from '#app/ui/data/BlobImage.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import classes from './DropFile.module.css';
import { FieldError } from './FieldError.tsx';
import { FileInput, useFileDrop } from './FileInput.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import fields from './fields.module.css';

/** Default file types of a file control (specification, section 5). */
const ACCEPTED: readonly string[] = ['image/*', '.doc', '.docx', '.pdf'];

/** The file that the control shows: a picked one, or the one stored on the server. */
export interface ShownFile {
  name: string;
  /** Bytes. */
  size: number;
  /** The picture itself or its address, if it is shown. */
  preview?: Blob | string | null | undefined;
  isPicture?: boolean;
}

export interface DropFileProps {
  label: string;
  /** Shown after the rules of type and size. */
  description?: string | undefined;
  name?: string | undefined;
  file: ShownFile | null;
  onPick: (file: File) => void;
  /** Default: images, .doc, .docx, .pdf. */
  accept?: readonly string[];
  /** Bytes; absent: no limit. */
  maxBytes?: number | undefined;
  /** Empty or absent: none. */
  error?: string | undefined;
  isRequired?: boolean;
  /** The input's ref, for a form that focuses it. */
  inputRef?: Ref<HTMLInputElement> | undefined;
  isDisabled?: boolean;
}

function Selected({ file }: { file: ShownFile }) {
  const icon = file.isPicture ? IconPhoto : IconFile;
  return (
    <>
      <Thumbnail>
        {file.preview ? <BlobImage picture={file.preview} alt="" /> : <Icon of={icon} />}
      </Thumbnail>
      <Stack component="span" gap={0} miw={0}>
        <Text span inherit fw={500} lineClamp={2} className="break-anywhere">
          {file.name}
        </Text>
        <Text span size="sm" c="dimmed">
          {formatSize(file.size)}. Нажмите, чтобы заменить
        </Text>
      </Stack>
    </>
  );
}

function Prompt({ isOver }: { isOver: boolean }) {
  return (
    <>
      <Icon of={IconUpload} />
      <span>{isOver ? 'Отпустите файл здесь' : 'Выберите файл или перетащите его сюда'}</span>
    </>
  );
}

/**
 * One file, picked or dropped. It is «selected» once it is there; while a file is dragged over the zone it is
 * unselected (specification, section 4). The zone is a real file input, so that keys and screen readers work.
 */
export function DropFile({
  label,
  description,
  name,
  file,
  onPick,
  accept = ACCEPTED,
  maxBytes,
  error,
  isRequired = false,
  inputRef,
  isDisabled = false,
}: DropFileProps) {
  const id = useId();
  const [refused, setRefused] = useState<string | null>(null);
  const take = ([file]: [File, ...File[]]) => {
    const { name, type: mimeType, size } = file;
    const wrong = fileProblem({ name, mimeType, size }, { accept, maxBytes });
    setRefused(wrong);
    if (wrong === null) onPick(file);
  };
  const { isOver, place } = useFileDrop(take, isDisabled);
  const isSelected = file !== null && !isOver;
  const problem = refused ?? error;

  const limit = maxBytes === undefined ? '' : `, до ${formatSize(maxBytes)}`;
  const rules = formatAcceptedTypes(accept);
  return (
    <div>
      <Input.Label htmlFor={id}>{label}</Input.Label>
      <p id={`${id}-rules`} className={fields.description}>
        {`${rules.charAt(0).toUpperCase()}${rules.slice(1)}${limit}`}
        {description && `. ${description}`}
      </p>
      <Group
        className={cx('frame-of-focus', classes.zone, classes.field)}
        mih="5rem"
        px={14}
        py="sm"
        bdrs="md"
        fz={15}
        gap="sm"
        wrap="nowrap"
        data-zone
        data-selected={isSelected || undefined}
        data-over={isOver || undefined}
        data-invalid={problem ? true : undefined}
        {...place}
      >
        {isSelected ? <Selected file={file} /> : <Prompt isOver={isOver} />}
        <FileInput
          ref={inputRef}
          id={id}
          name={name}
          className="hit-area"
          style={{ cursor: isDisabled ? 'default' : 'pointer', scrollMarginBlock: '40vh' }}
          accept={accept.join(',')}
          disabled={isDisabled}
          aria-required={isRequired || undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={cx(
            `${id}-rules`,
            file !== null && `${id}-file`,
            problem && `${id}-error`,
          )}
          onFiles={take}
        />
      </Group>
      <VisuallyHidden component="output" id={`${id}-file`}>
        {file !== null && `Выбран файл ${file.name}, ${formatSize(file.size)}`}
      </VisuallyHidden>
      <div role="alert">
        <FieldError id={`${id}-error`}>{problem}</FieldError>
      </div>
    </div>
  );
}
