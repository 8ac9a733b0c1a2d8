import { Stack } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { listUnread, type PeopleColumns } from '#domain/people-columns.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { areEnough, readFields } from './columns.ts';
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

/** What is not read of the table: rows above the heads, columns. */
function formatUnread(table: ReadTable, columns: PeopleColumns, row: number): string[] {
  const cells = table.rows.map((one) => one.cells);
  const unread = listUnread(cells, { row, columns }, readFields(columns));
  const head = table.rows[row]?.line;
  return [
    ...(row > 0 ? [`Заголовки столбцов в строке ${head}, строки выше неё не читаются`] : []),
    ...(unread.length > 0 ? [`Не читаются столбцы: ${unread.join(', ')}`] : []),
  ];
}

const judged = (table: ReadTable, columns: PeopleColumns, row: number): Step => ({
  kind: 'rows',
  rows: judgeRows(importRows(table.rows.slice(row + 1), columns)),
  note: [...table.notes, ...formatUnread(table, columns, row)].join('. ') || null,
});

/** «Импорт из таблицы»: pick a file, preview, create accounts, download passwords. */
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
                ? judged(table, table.columns, table.row)
                : { kind: 'columns', table },
            )
          }
        />
      )}
      {step.kind === 'columns' && (
        <MapColumns
          table={step.table}
          onDone={(columns, row) => setStep(judged(step.table, columns, row))}
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
