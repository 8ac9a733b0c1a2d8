import { IconUpload } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { IMPORT_ROWS_MOST } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { DropZone } from '#app/ui/DropZone.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import classes from './Import.module.css';
import { IMPORT_FILE_BYTES, readImportFile, type ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';

export interface PickFileProps {
  onTable: (table: ReadTable, name: string) => void;
}

/** Picks or takes a dropped file, and says what is expected of it. */
export function PickFile({ onTable }: PickFileProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const rulesId = useId();
  const take = async (file: File) => {
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
  return (
    <div className={classes.stack}>
      <DropZone
        label="Файл CSV"
        pick="Выбрать файл CSV"
        icon={IconUpload}
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        describedBy={rulesId}
        onFile={(file) => void take(file)}
      />
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
