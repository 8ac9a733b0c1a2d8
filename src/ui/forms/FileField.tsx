import { Box, Group, Stack, Text } from '@mantine/core';
import { IconCamera, IconReplace, IconUpload } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { choiceOf, takesFile, acceptedTypeLabels } from '#domain/accepted-file.ts';
import { formatSize } from '#domain/format.ts';
import type { AnswerState, UploadProgress } from '#domain/labels-answer.ts';
import { AnswerStateLine } from '#app/ui/taking/AnswerStateLine.tsx';
import { cx } from '#app/ui/cx.ts';
import meter from '#app/ui/taking/Ticks.module.css';
import { FieldError } from './FieldError.tsx';
import { isPicture, type FileFieldFile } from './FileCard.tsx';
import { FileCards } from './FileCards.tsx';
import { useFileDrop } from './FileInput.tsx';
import { PickButton } from './PickButton.tsx';
import { PickCard, type ShownPick } from './PickCard.tsx';
import classes from './FileField.module.css';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';

export interface FileFieldProps {
  /** In the student's order. */
  files: readonly FileFieldFile[];
  /** The limit of the question; absent: one file, and another one replaces it. */
  maxFiles?: number | undefined;
  state: AnswerState;
  /** The time of the state, ready to read. */
  at?: string | undefined;
  progress?: UploadProgress | undefined;
  /** Media types or extensions, in the syntax of `accept`. Empty: any file. */
  accept: readonly string[];
  /** Bytes. */
  maxBytes: number;
  /** Id of the question's text. */
  labelledBy: string;
  /** Called with several files only if the question accepts several. */
  onPick: (files: File[]) => void;
  onRemove: (id: string) => void;
  onMove?: (id: string, to: number) => void;
  /** Picked files that are being read, or could not be read. */
  picks?: readonly ShownPick[];
  onCancelPick?: (pickId: number) => void;
  /** «Можно перейти к другим вопросам: отправка продолжится.» */
  note?: ReactNode;
  error?: string | undefined;
  locked?: boolean;
}

/** «JPG, PNG, PDF. До 10 МБ. Проверяет преподаватель.» */
export function fileRulesHint(accept: readonly string[], maxBytes: number, maxFiles = 1): string {
  const list = acceptedTypeLabels(accept).join(', ') || 'любой файл';
  const types = list.charAt(0).toUpperCase() + list.slice(1);
  const size = `${types}. До ${formatSize(maxBytes)}`;
  return maxFiles === 1
    ? `${size}. Проверяет преподаватель.`
    : `${size} каждый, не больше ${maxFiles} файлов. Проверяет преподаватель.`;
}

const NO_PICKS: readonly ShownPick[] = [];

/** A typical photo of a camera. */
const PHOTO = { name: 'photo.jpg', mimeType: 'image/jpeg', size: 1 };

function Progress({ progress, waiting }: { progress: UploadProgress; waiting: boolean }) {
  const share = progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes;
  return (
    <Box
      mb={6}
      className={meter.track}
      role="progressbar"
      aria-label="Отправлено"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      data-waiting={waiting || undefined}
    >
      <div
        className={meter.fill}
        style={{
          width: `${Math.min(1, share) * 100}%`,
          transition: 'width 160ms ease-out',
          ...(waiting && { background: 'var(--app-control)' }),
        }}
      />
    </Box>
  );
}

/** Files as an answer: photographed, picked or dropped. Asks before removal. */
export function FileField({
  files,
  maxFiles = 1,
  state,
  at,
  progress,
  accept,
  maxBytes,
  labelledBy,
  onPick,
  onRemove,
  onMove,
  picks = NO_PICKS,
  onCancelPick,
  note,
  error,
  locked = false,
}: FileFieldProps) {
  const rulesId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const isOne = maxFiles === 1;
  const isFull = !isOne && files.length >= maxFiles;
  const buttons = useRef<HTMLDivElement>(null);
  const fullNote = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    // The buttons disappear, and would lose the focus.
    if (isFull && buttons.current?.contains(document.activeElement)) fullNote.current?.focus();
  }, [isFull]);
  const only = isOne ? files[0] : undefined;
  const { place } = useFileDrop((dropped) => onPick(isOne ? dropped.slice(0, 1) : dropped), locked);
  const stateLine = (
    <>
      {progress && state !== 'server' && (
        <Progress progress={progress} waiting={state !== 'sending'} />
      )}
      <AnswerStateLine state={state} at={at} progress={progress} />
    </>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same
    <div role="group" aria-labelledby={labelledBy} {...place}>
      {files.length > 0 && (
        <FileCards
          files={files}
          locked={locked}
          onMove={(id, to) => onMove?.(id, to)}
          onRemove={setRemoved}
          stateOfOne={stateLine}
        />
      )}
      {files.length !== 1 && !isOne && stateLine}
      {note && (
        <Text component="div" className={classes.note} mt="sm" size="sm" lh={1.5} c="dimmed">
          {note}
        </Text>
      )}
      {picks.length > 0 && (
        <Stack gap="sm" mt={files.length > 0 ? 'sm' : 0}>
          {picks.map((pick) => (
            <PickCard
              key={pick.pickId}
              pick={pick}
              locked={locked}
              onCancel={() => onCancelPick?.(pick.pickId)}
              onPickAgain={() => {
                if (!isOne) onCancelPick?.(pick.pickId);
                chooser.current?.click();
              }}
            />
          ))}
        </Stack>
      )}
      {isFull && !locked && (
        <Text ref={fullNote} tabIndex={-1} size="sm" mt="sm" c="dimmed">
          {`Приложено ${files.length} из ${maxFiles}. Чтобы добавить другой файл, удалите лишний.`}
        </Text>
      )}
      {!locked && (
        <>
          <Group
            ref={buttons}
            gap="xs"
            mt={files.length > 0 || note || picks.length > 0 ? 'md' : 0}
            display={isFull ? 'none' : undefined}
          >
            {takesFile(accept, PHOTO) && (
              <PickButton
                variant="default"
                size="sm"
                className={cx(classes.pick, 'without-keyboard')}
                icon={IconCamera}
                accept="image/*"
                capture="environment"
                describedBy={rulesId}
                onFiles={onPick}
              >
                {only && isPicture(only) ? 'Переснять' : 'Сфотографировать'}
              </PickButton>
            )}
            <PickButton
              variant="default"
              size="sm"
              className={classes.pick}
              inputRef={chooser}
              icon={only ? IconReplace : IconUpload}
              accept={choiceOf(accept).join(',')}
              multiple={!isOne}
              describedBy={rulesId}
              onFiles={onPick}
            >
              {chooserLabel(isOne, files.length)}
            </PickButton>
          </Group>
          <Text id={rulesId} size="xs" lh={1.5} mt={10} c="dimmed">
            {fileRulesHint(accept, maxBytes, maxFiles)}
          </Text>
        </>
      )}
      <div role="alert">{error && <FieldError>{error}</FieldError>}</div>
      <RemoveModal
        name={files.length > 1 ? files.find(({ id }) => id === removed)?.name : undefined}
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={() => {
          setRemoved(null);
          if (removed !== null) onRemove(removed);
        }}
      />
    </div>
  );
}

function chooserLabel(isOne: boolean, count: number): string {
  if (count === 0) return isOne ? 'Выбрать файл' : 'Выбрать файлы';
  return isOne ? 'Заменить' : 'Добавить ещё';
}

function RemoveModal({
  name,
  ...modal
}: {
  /** The file's name, if there are several. */
  name: string | undefined;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
}) {
  return (
    <ConfirmModal
      title={name === undefined ? 'Удалить файл?' : `Удалить файл «${name}»?`}
      confirm="Удалить"
      cancel="Оставить"
      {...modal}
    >
      <p>
        {name === undefined
          ? 'Ответом на вопрос останется пустое место. Файл на устройстве, откуда он взят, не изменится.'
          : 'Остальные файлы ответа останутся. Файл на устройстве, откуда он взят, не изменится.'}
      </p>
    </ConfirmModal>
  );
}
