import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { IMPORT_ROWS_MOST } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import classes from './Import.module.css';
import { IMPORT_FILE_BYTES, readImportFile, type ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';

export interface PickFileProps {
  onTable: (table: ReadTable, name: string) => void;
}

/** Picks or takes a dropped file, and says what is expected of it. */
export function PickFile({ onTable }: PickFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const rulesId = useId();
  const take = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    // A byte more tells that it is too large, however large it is.
    const read = await file
      .slice(0, IMPORT_FILE_BYTES + 1)
      .arrayBuffer()
      .then((buffer) => readImportFile(new Uint8Array(buffer)))
      .catch(() => null);
    if (read?.kind === 'table') onTable(read, file.name);
    else
      setProblem(read?.problem ?? 'Файл не читается. Проверьте, что он на месте, и выберите снова');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className={classes.stack}>
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Button
          leftSection={<IconUpload size={20} stroke={1.75} aria-hidden />}
          aria-describedby={rulesId}
          onClick={() => input.current?.click()}
        >
          Выбрать файл CSV
        </Button>
        <span className={classes.quiet}>или перетащите его сюда</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          aria-label="Файл CSV"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // The same file may be picked once more after it was mended.
            event.currentTarget.value = '';
            void take(file);
          }}
        />
      </div>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <div id={rulesId} className={classes.words}>
        <p>
          В первой строке названия столбцов: «Имя» и «Почта», по желанию «Роль» и «Пароль». Без роли
          человек станет студентом, без пароля сайт придумает его сам.
        </p>
        <p className={classes.quiet}>
          До {formatNumber(IMPORT_ROWS_MOST)} строк. Разделитель и кодировка определятся сами. Пока
          вы не подтвердите, ничего не создаётся.
        </p>
      </div>
      <div>
        <TemplateButton />
      </div>
    </div>
  );
}
