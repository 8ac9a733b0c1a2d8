import { Box, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AnswerState, UploadProgress } from '#domain/labels-answer.ts';
import { FileField } from '#app/ui/forms/FileField.tsx';
import type { FileLimits } from '#app/ui/forms/offered-files.ts';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { AnswerStateLine } from './AnswerStateLine.tsx';
import { isPicture, type ShownAnswerFile } from './FileCard.tsx';
import { FileCards } from './FileCards.tsx';
import { PickCard, type ShownPick } from './PickCard.tsx';
import { Meter } from './Ticks.tsx';

export interface AnswerFilesProps {
  /** In the student's order. */
  files: readonly ShownAnswerFile[];
  limits: FileLimits & { maxBytes: number };
  state: AnswerState;
  /** The time of the state, ready to read. */
  at?: string | undefined;
  progress?: UploadProgress | undefined;
  /** Id of the question's text. */
  labelledBy: string;
  onPick: (files: File[]) => void;
  onRemove: (id: string) => void;
  onMove?: (id: string, to: number) => void;
  /** Picked files that are being read, or could not be read. */
  picks?: readonly ShownPick[];
  onCancelPick?: (pickId: number) => void;
  /** «Можно перейти к другим вопросам: отправка продолжится.» */
  note?: string | undefined;
  locked?: boolean;
}

const NO_PICKS: readonly ShownPick[] = [];

function Progress({ progress, waiting }: { progress: UploadProgress; waiting: boolean }) {
  const share = progress.totalBytes === 0 ? 0 : progress.sentBytes / progress.totalBytes;
  return (
    <Box
      mb={6}
      role="progressbar"
      aria-label="Отправлено"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      data-waiting={waiting || undefined}
    >
      <Meter share={share} isWaiting={waiting} />
    </Box>
  );
}

/** The files of an answer with their upload, and the field that adds others. Asks before removal. */
export function AnswerFiles(props: AnswerFilesProps) {
  const { files, limits, picks = NO_PICKS, note, locked = false } = props;
  const { onPick, onRemove, onMove, onCancelPick } = props;
  const chooser = useRef<HTMLInputElement>(null);
  const [removed, setRemoved] = useState<string | null>(null);
  const isOne = (limits.maxFiles ?? 1) === 1;
  const [first] = files;
  const stateLine = <StateLine {...props} />;
  return (
    <FileField
      look="buttons"
      {...limits}
      labelledBy={props.labelledBy}
      count={files.length}
      pending={picks.filter(({ problem }) => problem === null).length}
      mt={files.length > 0 || note || picks.length > 0 ? 'md' : 0}
      isPhoto={first !== undefined && isPicture(first)}
      onPick={onPick}
      chooser={chooser}
      isLocked={locked}
    >
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
        <Text mt="sm" size="sm" lh={1.5} c="dimmed">
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
      <RemoveModal
        name={files.length > 1 ? files.find(({ id }) => id === removed)?.name : undefined}
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        onConfirm={() => {
          setRemoved(null);
          if (removed !== null) onRemove(removed);
        }}
      />
    </FileField>
  );
}

function StateLine({ state, at, progress }: Pick<AnswerFilesProps, 'state' | 'at' | 'progress'>) {
  return (
    <>
      {progress && state !== 'server' && (
        <Progress progress={progress} waiting={state !== 'sending'} />
      )}
      <AnswerStateLine state={state} at={at} progress={progress} />
    </>
  );
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
