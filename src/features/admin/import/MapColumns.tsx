import { Box, Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { PeopleColumns } from '#domain/people-columns.ts';
import { ChoiceRow } from '#app/ui/forms/ChoiceRow.tsx';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import {
  areEnough,
  FIELD_LABELS,
  MAPPED_FIELDS,
  missingColumnsMessage,
  type MappedField,
} from './columns.ts';
import type { ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';
import { PAIRS } from '#app/ui/columns.ts';

export interface MapColumnsProps {
  table: ReadTable;
  /** `row` is the index of the heads; −1: there are none. */
  onDone: (columns: PeopleColumns, row: number) => void;
  onBack: () => void;
}

const NONE = '';
/** Maximum length of a sample in the list. */
const LONGEST = 40;
const NEEDED: readonly MappedField[] = ['userName', 'email'];

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Maps columns manually if their names are not recognised. */
export function MapColumns({ table, onDone, onBack }: MapColumnsProps) {
  const [columns, setColumns] = useState<PeopleColumns>(table.columns);
  const [hasHead, setHead] = useState(table.row >= 0);
  const [problem, setProblem] = useState<string | null>(null);
  const headRow = Math.max(0, table.row);
  // Rows of titles are narrower than the table.
  const widest = table.rows
    .slice(headRow, headRow + 10)
    .reduce<readonly string[]>(
      (best, { cells }) => (cells.length > best.length ? cells : best),
      [],
    );
  const choices = widest.map((cell, at) => ({
    value: String(at),
    label: `${at + 1}. ${cut(cell.trim()) || 'пусто'}`,
  }));
  const send = () => {
    if (areEnough(columns)) onDone(columns, hasHead ? headRow : headRow - 1);
    else setProblem(`${missingColumnsMessage(columns)}. Выберите, где это в файле`);
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <InlineNote tone="warn">
        {missingColumnsMessage(table.columns) ?? 'Столбцы можно выбрать иначе'}. Ожидаются «Имя»
        (или «Фамилия», «Имя» и «Отчество» по отдельности) и «Почта», по желанию «Роль», «Класс» и
        «Пароль». Укажите, в каком столбце что стоит, или исправьте файл по образцу.
      </InlineNote>
      <Box {...PAIRS}>
        {MAPPED_FIELDS.map((field) => (
          <SelectField
            key={field}
            native
            label={FIELD_LABELS[field]}
            choices={[
              { value: NONE, label: NEEDED.includes(field) ? 'Выберите столбец' : 'Нет в файле' },
              ...choices,
            ]}
            value={columns[field] === null ? NONE : String(columns[field])}
            onChange={(value) => {
              setProblem(null);
              setColumns({ ...columns, [field]: value === NONE ? null : Number(value) });
            }}
          />
        ))}
      </Box>
      <ChoiceRow type="checkbox" checked={hasHead} onChange={setHead}>
        В строке {table.rows[headRow]?.line ?? 1} названия столбцов, а не человек
      </ChoiceRow>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Group className="wide-on-phones" gap="xs">
        <Button type="submit">Проверить строки</Button>
        <Button variant="default" onClick={onBack}>
          Другой файл
        </Button>
      </Group>
      <div>
        <TemplateButton />
      </div>
    </form>
  );
}
