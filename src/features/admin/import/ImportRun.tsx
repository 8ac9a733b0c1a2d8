import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useBlocker } from '@tanstack/react-router';
import { formatCount, formatNumber, type Forms } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { ProgressBar } from '#app/ui/data/ProgressBar.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { GuardDialog } from '#app/ui/overlays/GuardDialog.tsx';
import type { CheckedRow } from './judge.ts';
import { forgetSavedTable, retainTable } from './saved-table.ts';
import {
  countRows,
  formatCounts,
  failedTable,
  madeTable,
  type ImportCounts,
  type KnownRow,
} from './outcome.ts';
import { PreviewRows } from './PreviewRows.tsx';
import { saveCsv } from './save-csv.ts';
import { useImport, type ImportProgress, type ImportStage } from './use-import.ts';

const isImport = (search: unknown): boolean =>
  typeof search === 'object' && search !== null && 'view' in search && search.view === 'import';

/** Confirms leaving an import with passwords that were not downloaded. */
function ImportGuard({ isRetained, onLeave }: { isRetained: boolean; onLeave: () => void }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const isLeft = next.pathname !== current.pathname || !isImport(next.search);
      // The redirect of an ended session is not blocked.
      return isRetained && isLeft && next.pathname !== '/login';
    },
    enableBeforeUnload: () => isRetained,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <GuardDialog
      title="Уйти без файла с паролями?"
      message="Созданные учётные записи останутся. Пароли есть только на этой странице: чтобы выдать их потом, каждый придётся сбросить."
      stay="Остаться"
      leave="Уйти без паролей"
      onStay={blocker.reset}
      onLeave={() => {
        onLeave();
        blocker.proceed();
      }}
    />
  );
}

const ACCOUNTS: Forms = ['учётную запись', 'учётные записи', 'учётных записей'];

export interface ImportRunProps {
  rows: readonly CheckedRow[];
  /** A note on how the file was read, if any. */
  note: string | null;
  onBack: () => void;
  onClose: () => void;
  /** User id of the importing administrator. */
  ownId: string;
}

const shareOf = ({ done, of }: ImportProgress) => (of === 0 ? 1 : done / of);

const RUNNING = { check: 'Проверяем строки', make: 'Создаём учётные записи' } as const;

/** Preview of the accounts to create. */
function importPlanMessage({ good, exists, wrong }: ImportCounts): string {
  return [
    `${formatNumber(good)} можно создать`,
    ...(exists > 0 ? [`${formatNumber(exists)} уже есть`] : []),
    ...(wrong > 0 ? [`${formatNumber(wrong)} с ошибками`] : []),
  ].join(', ');
}

function importStageMessage(
  stage: ImportStage,
  progress: ImportProgress,
  counts: ImportCounts,
): string {
  if (stage.errand === 'make' && stage.kind === 'done') return formatCounts(counts);
  if (stage.kind === 'done') return importPlanMessage(counts);
  const share = `${formatNumber(progress.done)} из ${formatNumber(progress.of)}`;
  return stage.kind === 'running' ? `${RUNNING[stage.errand]}: ${share}` : `Остановлено: ${share}`;
}

interface ButtonsProps {
  stage: ImportStage;
  counts: ImportCounts;
  onMake: () => void;
  onStop: () => void;
  onGoOn: () => void;
  onBack: () => void;
}

function Buttons({ stage, counts, onMake, onStop, onGoOn, onBack }: ButtonsProps) {
  if (stage.kind === 'running') {
    return (
      <Button variant="default" onClick={stage.errand === 'check' ? onBack : onStop}>
        {stage.errand === 'check' ? 'Другой файл' : 'Остановить'}
      </Button>
    );
  }
  if (stage.kind === 'paused') return <Button onClick={onGoOn}>Продолжить</Button>;
  if (stage.errand === 'make') return null;
  return (
    <>
      {counts.good > 0 && (
        <Button onClick={onMake}>Создать {formatCount(counts.good, ACCOUNTS)}</Button>
      )}
      <Button variant="default" onClick={onBack}>
        Другой файл
      </Button>
    </>
  );
}

/** Retains created accounts if the session ends; returns a function that discards them. */
function useRetainedTable(
  ownId: string,
  rows: readonly KnownRow[],
  isRetained: boolean,
): () => void {
  const retain = useRef<(() => void) | null>(null);
  useEffect(() => {
    retain.current = isRetained ? () => retainTable(ownId, madeTable(rows)) : null;
  }, [ownId, rows, isRetained]);
  useEffect(() => () => retain.current?.(), []);
  return () => {
    retain.current = null;
    forgetSavedTable();
  };
}

/** The rows of one file: check, creation, download of the passwords. */
export function ImportRun({ rows: judged, note, onBack, onClose, ownId }: ImportRunProps) {
  const { rows, stage, progress, make, stop, goOn } = useImport(judged);
  const [isSaved, setSaved] = useState(false);
  const counts = countRows(rows);
  const isMaking = stage.errand === 'make';
  const hasPasswords = rows.some(({ password }) => password !== null);
  const isDone = isMaking && stage.kind === 'done';
  const isAtRest = stage.kind !== 'running';
  const words = importStageMessage(stage, progress, counts);
  const isRetained = isMaking && (!isAtRest || (hasPasswords && !isSaved));
  const leave = useRetainedTable(ownId, rows, isRetained && hasPasswords);
  return (
    <Stack>
      {note !== null && <InlineNote>{note}</InlineNote>}
      <Stack role="status">
        <Text inherit fw={600} className="tabular">
          {words}
        </Text>
        {stage.kind === 'running' && stage.waiting !== null && <p>{stage.waiting}</p>}
      </Stack>
      {!(stage.kind === 'done') && (
        <ProgressBar share={shareOf(progress)} label={RUNNING[stage.errand]} />
      )}
      {stage.kind === 'paused' && stage.problem !== null && (
        <InlineNote tone="bad" role="status">
          {isMaking && 'Созданное сохранено, второй раз никто не появится. '}
          {stage.problem}
        </InlineNote>
      )}
      {isMaking && isAtRest && hasPasswords && (
        <InlineNote tone="warn">
          Пароли есть только на этой странице: сайт их не хранит и больше не покажет. Скачайте файл
          сейчас.
        </InlineNote>
      )}
      <Group className="wide-on-phones" gap="xs">
        {isMaking && isAtRest && counts.made > 0 && (
          <Button
            leftSection={<Icon of={IconDownload} />}
            onClick={() => {
              saveCsv(madeTable(rows), 'Новые пользователи.csv');
              setSaved(true);
            }}
          >
            Скачать созданных с паролями
          </Button>
        )}
        <Buttons
          stage={stage}
          counts={counts}
          onMake={() => {
            setSaved(false);
            make();
          }}
          onStop={stop}
          onGoOn={() => {
            setSaved(false);
            goOn();
          }}
          onBack={onBack}
        />
        {isAtRest && counts.wrong + counts.exists > 0 && (
          <Button
            variant="default"
            leftSection={<Icon of={IconDownload} />}
            onClick={() => saveCsv(failedTable(rows), 'Строки с ошибками.csv')}
          >
            Скачать строки с ошибками
          </Button>
        )}
        {isDone && (
          <Button variant="default" onClick={onClose}>
            К списку пользователей
          </Button>
        )}
      </Group>
      <PreviewRows rows={rows} />
      <ImportGuard isRetained={isRetained} onLeave={leave} />
    </Stack>
  );
}
