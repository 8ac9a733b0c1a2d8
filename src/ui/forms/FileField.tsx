import { Group, Input, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCamera, IconFile, IconPhoto, IconReplace, IconUpload } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, Ref, RefObject } from 'react';
import { choiceOf, takesFile } from '#domain/accepted-file.ts';
import { formatSize } from '#domain/format.ts';
import { BlobImage } from '#app/ui/data/BlobImage.tsx';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import { FieldError } from './FieldError.tsx';
import { FileInput, useFileDrop } from './FileInput.tsx';
import { fileRulesHint, formatFileRules, sortOffered, type FileLimits } from './offered-files.ts';
import { PickButton } from './PickButton.tsx';
import { Thumbnail } from './Thumbnail.tsx';
import classes from './FileField.module.css';
import fields from './fields.module.css';

/** The file that a frame shows: a picked one, or the one stored on the server. */
export interface ShownFile {
  name: string;
  /** Bytes. */
  size: number;
  /** The picture itself or its address, if it is shown. */
  preview?: Blob | string | null | undefined;
  isPicture?: boolean;
}

/** A labelled frame that opens the file picker, takes a dropped file and shows it. */
interface FrameProps extends Partial<FileLimits> {
  look: 'frame';
  label: string;
  /** Shown after the rules of type and size. */
  description?: string | undefined;
  name?: string | undefined;
  file: ShownFile | null;
  onPick: (file: File) => void;
  /** Empty or absent: none. */
  error?: string | undefined;
  isRequired?: boolean;
  /** The input's ref, for a form that focuses it. */
  inputRef?: Ref<HTMLInputElement> | undefined;
  isLocked?: boolean;
}

/** A button in a frame, for a file that is read at once. Its reader knows the file by its contents and refuses it. */
interface ZoneProps {
  look: 'zone';
  label: string;
  icon: IconType;
  /** Restricts the file picker only. */
  accept: string;
  onPick: (file: File) => void;
  error?: string | null;
  /** The rules. */
  children: ReactNode;
}

/** Buttons under the files of an answer, which can be dropped on all of it. */
interface ButtonsProps extends FileLimits {
  look: 'buttons';
  /** Id of the question's text. */
  labelledBy: string;
  maxBytes: number;
  /** Files that are there. */
  count: number;
  /** Files that are being added. */
  pending: number;
  /** Space above the buttons. */
  mt: 'md' | 0;
  /** The only file of the answer is a photo. */
  isPhoto: boolean;
  onPick: (files: File[]) => void;
  chooser: RefObject<HTMLInputElement | null>;
  isLocked: boolean;
  /** The files. */
  children: ReactNode;
}

export type FileFieldProps = FrameProps | ZoneProps | ButtonsProps;
export type FileFrameProps = Omit<FrameProps, 'look'>;

/** Default file types of a file control (specification, section 5). */
const ACCEPTED: readonly string[] = ['image/*', '.doc', '.docx', '.pdf'];

/** A typical photo of a camera. */
const PHOTO = { name: 'photo.jpg', mimeType: 'image/jpeg', size: 1 };

/**
 * The one control for files that are picked, photographed or dropped: it states the rules, refuses what breaks them and
 * reports the reason. Keys and screen readers use its real file input.
 */
export function FileField(props: FileFieldProps) {
  switch (props.look) {
    case 'frame':
      return <FrameField {...props} />;
    case 'zone':
      return <ZoneField {...props} />;
    case 'buttons':
      return <ButtonsField {...props} />;
  }
}

/** Accepts files within the limits, and has the reason for the others until the next pick. */
function useOffers(
  limits: FileLimits,
  count: number,
  onAccepted: (files: [File, ...File[]]) => void,
) {
  const [refused, setRefused] = useState<string | null>(null);
  const take = (picked: File[]) => {
    const { accepted, problem } = sortOffered(picked, limits, count);
    const [first, ...more] = accepted;
    setRefused(problem);
    if (first) onAccepted([first, ...more]);
  };
  return { refused, take };
}

const Problem = ({ id, children }: { id?: string; children: string | undefined }) => (
  <div role="alert">
    <FieldError {...(id !== undefined && { id })}>{children}</FieldError>
  </div>
);

/** The file is «selected» once it is there, except while another one is dragged over it (specification, section 4). */
function FrameField({
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
  isLocked = false,
}: FrameProps) {
  const id = useId();
  const limits = { accept, maxBytes };
  const { refused, take } = useOffers(limits, 0, ([picked]) => onPick(picked));
  const { isOver, place } = useFileDrop(take, isLocked);
  const isSelected = file !== null && !isOver;
  const problem = refused ?? error;
  return (
    <div>
      <Input.Label htmlFor={id}>{label}</Input.Label>
      <p id={`${id}-rules`} className={fields.description}>
        {formatFileRules(limits)}
        {description && `. ${description}`}
      </p>
      <Group
        className={cx('frame-of-focus', classes.zone, classes.frame)}
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
          style={{ cursor: isLocked ? 'default' : 'pointer', scrollMarginBlock: '40vh' }}
          accept={accept.join(',')}
          disabled={isLocked}
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
      <Problem id={`${id}-error`}>{problem}</Problem>
    </div>
  );
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

function ZoneField({ label, icon, accept, onPick, error, children }: ZoneProps) {
  const rulesId = useId();
  const take = ([file]: [File, ...File[]]) => onPick(file);
  const { isOver, place } = useFileDrop(take);
  return (
    <Stack>
      <Stack
        className={classes.zone}
        bdrs="lg"
        align="center"
        gap="sm"
        px="md"
        py="xl"
        ta="center"
        data-zone
        data-over={isOver || undefined}
        {...place}
      >
        <PickButton {...{ label, icon, accept }} describedBy={rulesId} autoFocused onFiles={take}>
          Выбрать файл
        </PickButton>
        <Text span size="sm" c="dimmed">
          или перетащите его сюда
        </Text>
      </Stack>
      {error !== undefined && <Problem>{error ?? undefined}</Problem>}
      <div id={rulesId}>{children}</div>
    </Stack>
  );
}

function ButtonsField(props: ButtonsProps) {
  const { labelledBy, count, pending, onPick, isLocked, mt, children } = props;
  const { accept, maxBytes, maxFiles = 1 } = props;
  const rulesId = useId();
  const { refused, take } = useOffers(props, count + pending, onPick);
  const { place } = useFileDrop(take, isLocked);
  const isFull = maxFiles > 1 && count >= maxFiles;
  const buttons = useRef<HTMLDivElement>(null);
  const fullNote = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    // The buttons disappear, and would lose the focus.
    if (isFull && buttons.current?.contains(document.activeElement)) fullNote.current?.focus();
  }, [isFull]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same
    <div role="group" aria-labelledby={labelledBy} {...place}>
      {children}
      {isFull && !isLocked && (
        <Text ref={fullNote} tabIndex={-1} size="sm" mt="sm" c="dimmed">
          {`Приложено ${count} из ${maxFiles}. Чтобы добавить другой файл, удалите лишний.`}
        </Text>
      )}
      {!isLocked && (
        <>
          <Group ref={buttons} gap="xs" mt={mt} display={isFull ? 'none' : undefined}>
            <PickButtons {...props} rulesId={rulesId} onFiles={take} />
          </Group>
          <Text id={rulesId} size="xs" lh={1.5} mt={10} c="dimmed">
            {fileRulesHint(accept, maxBytes, maxFiles)}
          </Text>
        </>
      )}
      <Problem>{refused ?? undefined}</Problem>
    </div>
  );
}

interface PickButtonsProps extends Pick<
  ButtonsProps,
  'accept' | 'maxFiles' | 'count' | 'isPhoto' | 'chooser'
> {
  rulesId: string;
  onFiles: (files: File[]) => void;
}

function PickButtons(props: PickButtonsProps) {
  const { accept, maxFiles = 1, count, isPhoto, chooser, rulesId, onFiles } = props;
  const isOne = maxFiles === 1;
  const shared = {
    variant: 'default',
    size: 'sm',
    describedBy: rulesId,
    onFiles,
  } as const;
  return (
    <>
      {takesFile(accept, PHOTO) && (
        <PickButton
          {...shared}
          className={cx(classes.pick, 'without-keyboard')}
          icon={IconCamera}
          accept="image/*"
          capture="environment"
        >
          {isOne && isPhoto ? 'Переснять' : 'Сфотографировать'}
        </PickButton>
      )}
      <PickButton
        {...shared}
        className={classes.pick}
        inputRef={chooser}
        icon={isOne && count > 0 ? IconReplace : IconUpload}
        accept={choiceOf(accept).join(',')}
        multiple={!isOne}
      >
        {chooserLabel(isOne, count)}
      </PickButton>
    </>
  );
}

function chooserLabel(isOne: boolean, count: number): string {
  if (count === 0) return isOne ? 'Выбрать файл' : 'Выбрать файлы';
  return isOne ? 'Заменить' : 'Добавить ещё';
}
