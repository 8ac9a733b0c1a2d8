import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount, formatNumber, type Forms } from '#domain/format.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './Import.module.css';
import { ImportGuard } from './ImportGuard.tsx';
import type { JudgedRow } from './judge.ts';
import { forgetKept, keepMade } from './kept.ts';
import {
  countRows,
  countWords,
  failedTable,
  madeTable,
  type Counts,
  type KnownRow,
} from './outcome.ts';
import { PreviewRows } from './PreviewRows.tsx';
import { saveCsv } from './save-csv.ts';
import { useImport, type ImportProgress, type ImportStage } from './use-import.ts';

const ACCOUNTS: Forms = ['учётную запись', 'учётные записи', 'учётных записей'];

export interface ImportRunProps {
  rows: readonly JudgedRow[];
  /** How the file was read, where it is worth a word. */
  note: string | null;
  onBack: () => void;
  onClose: () => void;
  /** Of the administrator who imports. */
  ownId: string;
}

const percent = ({ done, of }: ImportProgress) => (of === 0 ? 100 : Math.floor((done / of) * 100));

function Progress({ progress, label }: { progress: ImportProgress; label: string }) {
  const share = percent(progress);
  return (
    <div
      className={classes.bar}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
    >
      <div className={classes.fill} style={{ width: `${share}%` }} />
    </div>
  );
}

const RUNNING = { check: 'Проверяем строки', make: 'Создаём учётные записи' } as const;

/** What will be made, while nothing is yet. */
function planWords({ good, exists, wrong }: Counts): string {
  return [
    `${formatNumber(good)} можно создать`,
    ...(exists > 0 ? [`${formatNumber(exists)} уже есть`] : []),
    ...(wrong > 0 ? [`${formatNumber(wrong)} с ошибками`] : []),
  ].join(', ');
}

function stageWords(stage: ImportStage, progress: ImportProgress, counts: Counts): string {
  if (stage.errand === 'make' && stage.kind === 'done') return countWords(counts);
  if (stage.kind === 'done') return planWords(counts);
  const share = `${formatNumber(progress.done)} из ${formatNumber(progress.of)}`;
  return stage.kind === 'running' ? `${RUNNING[stage.errand]}: ${share}` : `Остановлено: ${share}`;
}

interface ButtonsProps {
  stage: ImportStage;
  counts: Counts;
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
  if (stage.kind === 'held') return <Button onClick={onGoOn}>Продолжить</Button>;
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

/** Keeps what was made when the page goes away with its sign-in; returns how to leave without it. */
function useKeptMade(ownId: string, rows: readonly KnownRow[], isHeld: boolean): () => void {
  const held = useRef<(() => void) | null>(null);
  useEffect(() => {
    held.current = isHeld ? () => keepMade(ownId, madeTable(rows)) : null;
  }, [ownId, rows, isHeld]);
  useEffect(() => () => held.current?.(), []);
  return () => {
    held.current = null;
    forgetKept();
  };
}

/** The rows of one file: looked at, made, and taken away with their passwords. */
export function ImportRun({ rows: judged, note, onBack, onClose, ownId }: ImportRunProps) {
  const { rows, stage, progress, make, stop, goOn } = useImport(judged);
  const [isSaved, setSaved] = useState(false);
  const counts = countRows(rows);
  const isMaking = stage.errand === 'make';
  const hasPasswords = rows.some(({ password }) => password !== null);
  const isDone = isMaking && stage.kind === 'done';
  const isAtRest = stage.kind !== 'running';
  const words = stageWords(stage, progress, counts);
  const isHeld = isMaking && (!isAtRest || (hasPasswords && !isSaved));
  const leave = useKeptMade(ownId, rows, isHeld && hasPasswords);
  return (
    <div className={classes.stack}>
      {note !== null && <InlineNote>{note}</InlineNote>}
      <div className={classes.stack} role="status">
        <p className={classes.summary}>{words}</p>
        {stage.kind === 'running' && stage.waiting !== null && <p>{stage.waiting}</p>}
      </div>
      {!(stage.kind === 'done') && <Progress progress={progress} label={RUNNING[stage.errand]} />}
      {stage.kind === 'held' && stage.problem !== null && (
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
      <div className={classes.buttons}>
        {isMaking && isAtRest && counts.made > 0 && (
          <Button
            leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
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
            leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
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
      </div>
      <PreviewRows rows={rows} />
      <ImportGuard isHeld={isHeld} onLeave={leave} />
    </div>
  );
}
