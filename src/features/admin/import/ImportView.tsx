import { Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { areEnough, type ColumnMapping } from './columns.ts';
import { ImportRun } from './ImportRun.tsx';
import { importRows, judgeRows, type CheckedRow } from './judge.ts';
import { SavedTableNote } from './SavedTableNote.tsx';
import { MapColumns } from './MapColumns.tsx';
import { PickFile } from './PickFile.tsx';
import type { ReadTable } from './read-file.ts';

type Step =
  | { readonly kind: 'pick' }
  | { readonly kind: 'columns'; readonly table: ReadTable }
  | { readonly kind: 'rows'; readonly rows: readonly CheckedRow[]; readonly note: string | null };

const judged = (table: ReadTable, columns: ColumnMapping, hasHead: boolean): Step => ({
  kind: 'rows',
  rows: judgeRows(importRows(hasHead ? table.rows.slice(1) : table.rows, columns)),
  note: table.note,
});

/** «Импорт из CSV»: pick a file, preview, create accounts, download passwords. */
export function ImportView({ ownId, onClose }: { ownId: string; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'pick' });
  const again = () => setStep({ kind: 'pick' });
  return (
    <Stack>
      <div>
        <QuietButton icon={IconArrowLeft} onClick={onClose}>
          К списку пользователей
        </QuietButton>
      </div>
      {step.kind === 'pick' && <SavedTableNote ownId={ownId} />}
      {step.kind === 'pick' && (
        <PickFile
          onTable={(table) =>
            setStep(
              areEnough(table.columns)
                ? judged(table, table.columns, table.hasHead)
                : { kind: 'columns', table },
            )
          }
        />
      )}
      {step.kind === 'columns' && (
        <MapColumns
          table={step.table}
          onDone={(columns, hasHead) => setStep(judged(step.table, columns, hasHead))}
          onBack={again}
        />
      )}
      {step.kind === 'rows' && (
        <ImportRun
          rows={step.rows}
          note={step.note}
          ownId={ownId}
          onBack={again}
          onClose={onClose}
        />
      )}
    </Stack>
  );
}
