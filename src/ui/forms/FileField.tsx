import { ActionIcon, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import {
  IconCamera,
  IconFile,
  IconPhoto,
  IconReplace,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { choiceOf, takesFile, acceptedTypeLabels } from '#domain/accepted-file.ts';
import { formatSize } from '#domain/format.ts';
import type { AnswerState, UploadProgress } from '#domain/labels-answer.ts';
import { AnswerStateLine } from '#app/ui/taking/AnswerStateLine.tsx';
import { Icon, type IconType } from '#app/ui/Icon.tsx';
import { cx } from '#app/ui/cx.ts';
import meter from '#app/ui/taking/Ticks.module.css';
import zone from './DropFile.module.css';
import { FieldError } from './FieldError.tsx';
import { PickCard, type ShownPick } from './PickCard.tsx';
import classes from './FileField.module.css';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';

export interface FileFieldFile {
  name: string;
  /** Bytes. */
  size: number;
  mimeType: string;
  /** A blob URL of the picture itself, where it is at hand. */
  previewUrl?: string | undefined;
}

export interface FileFieldProps {
  file: FileFieldFile | null;
  state: AnswerState;
  /** The time of the state, ready to read. */
  at?: string | undefined;
  progress?: UploadProgress | undefined;
  /** Media types or extensions, as the file picker takes them. Empty: any file. */
  accept: readonly string[];
  /** Bytes. */
  maxBytes: number;
  /** Id of the question's text. */
  labelledBy: string;
  onPick: (file: File) => void;
  onRemove: () => void;
  /** Picked files that are still being read, or could not be. */
  picks?: readonly ShownPick[];
  onCancelPick?: (pickId: number) => void;
  /** Within the card: «Фото уменьшено: 14 → 3,2 МБ». */
  remark?: string | undefined;
  /** «Можно перейти к другим вопросам: отправка продолжится.» */
  note?: ReactNode;
  error?: string | undefined;
  locked?: boolean;
}

/** «JPG, PNG, PDF. До 10 МБ. Проверяет преподаватель.» */
export function fileRulesHint(accept: readonly string[], maxBytes: number): string {
  const list = acceptedTypeLabels(accept).join(', ') || 'любой файл';
  const types = list.charAt(0).toUpperCase() + list.slice(1);
  return `${types}. До ${formatSize(maxBytes)}. Проверяет преподаватель.`;
}

const NO_PICKS: readonly ShownPick[] = [];

/** What a camera makes. */
const PHOTO = { name: 'photo.jpg', mimeType: 'image/jpeg', size: 1 };

function PickButton({
  input,
  icon,
  children,
  accept,
  capture,
  describedBy,
  onPick,
}: {
  input: RefObject<HTMLInputElement | null>;
  icon: IconType;
  children: ReactNode;
  accept: string;
  capture?: boolean;
  describedBy: string;
  onPick: (file: File) => void;
}) {
  return (
    <>
      <Button
        variant="default"
        size="sm"
        className={cx(classes.pick, capture && classes.camera)}
        leftSection={<Icon of={icon} />}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        capture={capture ? 'environment' : undefined}
        onChange={(event) => {
          const picked = event.currentTarget.files?.[0];
          // The same file may be picked once more after it was removed.
          event.currentTarget.value = '';
          if (picked) onPick(picked);
        }}
      />
    </>
  );
}

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
        className={cx(meter.fill, classes.fill)}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
    </Box>
  );
}

const isPicture = (file: FileFieldFile): boolean => file.mimeType.startsWith('image/');

function Card({
  file,
  state,
  at,
  progress,
  remark,
  locked,
  onAskRemove,
}: Pick<FileFieldProps, 'state' | 'at' | 'progress' | 'remark' | 'locked'> & {
  file: FileFieldFile;
  onAskRemove: () => void;
}) {
  const isPhoto = isPicture(file);
  const icon = isPhoto ? IconPhoto : IconFile;
  return (
    <Paper p="0.875rem" pb={6} bd="1px solid var(--app-control)">
      <Group gap="sm" align="flex-start" wrap="nowrap" mb="0.875rem">
        <span className={cx('squared', zone.thumbnail, classes.thumbnail)}>
          {file.previewUrl ? <img src={file.previewUrl} alt="" /> : <Icon of={icon} />}
        </span>
        <Box flex={1} miw={0} pt={2}>
          <Text fw={500} lineClamp={2} className="break-anywhere">
            {file.name}
          </Text>
          <Text size="sm" c="dimmed">
            {formatSize(file.size)}
            {isPhoto && ', фото'}
          </Text>
          {remark && (
            <Text size="sm" c="dimmed" aria-live="polite">
              {remark}
            </Text>
          )}
        </Box>
        {!locked && (
          <ActionIcon
            w="2.75rem"
            h="2.75rem"
            mt={-8}
            me={-10}
            aria-label="Удалить файл"
            onClick={onAskRemove}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
        )}
      </Group>
      {progress && state !== 'server' && (
        <Progress progress={progress} waiting={state !== 'sending'} />
      )}
      <AnswerStateLine state={state} at={at} progress={progress} />
    </Paper>
  );
}

/** A file as an answer: taken with the camera or picked, its way shown in its card, removed after one question. */
export function FileField({
  file,
  state,
  at,
  progress,
  accept,
  maxBytes,
  labelledBy,
  onPick,
  onRemove,
  picks = NO_PICKS,
  onCancelPick,
  remark,
  note,
  error,
  locked = false,
}: FileFieldProps) {
  const rulesId = useId();
  const camera = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  return (
    <div role="group" aria-labelledby={labelledBy}>
      {file && (
        <Card
          file={file}
          state={state}
          at={at}
          progress={progress}
          remark={remark}
          locked={locked}
          onAskRemove={() => setAsking(true)}
        />
      )}
      {note && (
        <Text component="div" className={classes.note} mt="sm" size="sm" lh={1.5} c="dimmed">
          {note}
        </Text>
      )}
      {picks.length > 0 && (
        <Stack gap="sm" mt={file ? 'sm' : 0}>
          {picks.map((pick) => (
            <PickCard
              key={pick.pickId}
              pick={pick}
              locked={locked}
              onCancel={() => onCancelPick?.(pick.pickId)}
              onPickAgain={() => chooser.current?.click()}
            />
          ))}
        </Stack>
      )}
      {!locked && (
        <>
          <Group gap="xs" mt={file || note || picks.length > 0 ? 'md' : 0}>
            {takesFile(accept, PHOTO) && (
              <PickButton
                input={camera}
                icon={IconCamera}
                accept="image/*"
                capture
                describedBy={rulesId}
                onPick={onPick}
              >
                {file && isPicture(file) ? 'Переснять' : 'Сфотографировать'}
              </PickButton>
            )}
            <PickButton
              input={chooser}
              icon={file ? IconReplace : IconUpload}
              accept={choiceOf(accept).join(',')}
              describedBy={rulesId}
              onPick={onPick}
            >
              {file ? 'Заменить' : 'Выбрать файл'}
            </PickButton>
          </Group>
          <Text id={rulesId} size="xs" lh={1.5} mt={10} c="dimmed">
            {fileRulesHint(accept, maxBytes)}
          </Text>
        </>
      )}
      <div role="alert">{error && <FieldError>{error}</FieldError>}</div>
      <ConfirmModal
        opened={asking}
        onClose={() => setAsking(false)}
        title="Удалить файл?"
        confirm="Удалить"
        cancel="Оставить"
        onConfirm={() => {
          setAsking(false);
          onRemove();
        }}
      >
        <p>
          Ответом на вопрос останется пустое место. Файл на устройстве, откуда он взят, не
          изменится.
        </p>
      </ConfirmModal>
    </div>
  );
}
