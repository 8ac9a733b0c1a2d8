import { Button, Flex, Group } from '@mantine/core';
import { useState } from 'react';
import { FieldError } from '#app/ui/forms/FieldError.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import {
  areEnough,
  FIELD_LABELS,
  IMPORT_FIELDS,
  missingColumnsMessage,
  type ColumnMapping,
  type ImportField,
} from './columns.ts';
import type { ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';

export interface MapColumnsProps {
  table: ReadTable;
  onDone: (columns: ColumnMapping, hasHead: boolean) => void;
  onBack: () => void;
}

const NONE = '';
/** Maximum length of a sample in the list. */
const LONGEST = 40;
const NEEDED: readonly ImportField[] = ['userName', 'email'];

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Maps columns manually if their names are not recognised. */
export function MapColumns({ table, onDone, onBack }: MapColumnsProps) {
  const [columns, setColumns] = useState<ColumnMapping>(table.columns);
  const [hasHead, setHead] = useState(table.hasHead);
  const [problem, setProblem] = useState<string | null>(null);
  const [first] = table.rows;
  const choices = (first?.cells ?? []).map((cell, at) => ({
    value: String(at),
    label: `${at + 1}. ${cut(cell.trim()) || 'пусто'}`,
  }));
  const send = () => {
    if (areEnough(columns)) onDone(columns, hasHead);
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
        {missingColumnsMessage(table.columns) ?? 'Столбцы можно выбрать иначе'}. Ожидаются «Имя» и
        «Почта», по желанию «Роль» и «Пароль». Укажите, в каком столбце что стоит, или исправьте
        файл по образцу.
      </InlineNote>
      <div className="in-pairs">
        {IMPORT_FIELDS.map((field) => (
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
      </div>
      <Flex component="label" align="center" gap="sm" mih={44}>
        <input
          type="checkbox"
          checked={hasHead}
          onChange={(event) => setHead(event.target.checked)}
        />
        В первой строке названия столбцов, а не человек
      </Flex>
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
