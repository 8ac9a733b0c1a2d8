import { Button } from '@mantine/core';
import { useState } from 'react';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { SelectField } from '#app/ui/SelectField.tsx';
import {
  areEnough,
  FIELD_WORDS,
  IMPORT_FIELDS,
  missingWords,
  type Columns,
  type ImportField,
} from './columns.ts';
import classes from './Import.module.css';
import type { ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';

export interface MapColumnsProps {
  table: ReadTable;
  onDone: (columns: Columns, hasHead: boolean) => void;
  onBack: () => void;
}

const NONE = '';
/** What a list of choices has room for. */
const LONGEST = 40;
const NEEDED: readonly ImportField[] = ['userName', 'email'];

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Says by hand which column is what, where their names do not tell. */
export function MapColumns({ table, onDone, onBack }: MapColumnsProps) {
  const [columns, setColumns] = useState<Columns>(table.columns);
  const [hasHead, setHead] = useState(table.hasHead);
  const [problem, setProblem] = useState<string | null>(null);
  const [first] = table.rows;
  const choices = (first?.cells ?? []).map((cell, at) => ({
    value: String(at),
    label: `${at + 1}. ${cut(cell.trim()) || 'пусто'}`,
  }));
  const send = () => {
    if (areEnough(columns)) onDone(columns, hasHead);
    else setProblem(`${missingWords(columns)}. Выберите, где это в файле`);
  };
  return (
    <form
      className={classes.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <InlineNote tone="warn">
        {missingWords(table.columns) ?? 'Столбцы можно выбрать иначе'}. Ожидаются «Имя» и «Почта»,
        по желанию «Роль» и «Пароль». Укажите, в каком столбце что стоит, или исправьте файл по
        образцу.
      </InlineNote>
      <div className={classes.columns}>
        {IMPORT_FIELDS.map((field) => (
          <SelectField
            key={field}
            native
            label={FIELD_WORDS[field]}
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
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={hasHead}
          onChange={(event) => setHead(event.target.checked)}
        />
        В первой строке названия столбцов, а не человек
      </label>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <div className={classes.buttons}>
        <Button type="submit">Проверить строки</Button>
        <Button variant="default" onClick={onBack}>
          Другой файл
        </Button>
      </div>
      <div>
        <TemplateButton />
      </div>
    </form>
  );
}
