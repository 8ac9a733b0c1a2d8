import { Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { MAX_IMPORT_ROWS } from '#contract/limits.ts';
import { formatNumber } from '#domain/format.ts';
import { FileField } from '#app/ui/forms/FileField.tsx';
import { IMPORT_FILE_BYTES, readImportFile, type ReadTable } from './read-file.ts';
import { TemplateButton } from './TemplateButton.tsx';

export interface PickFileProps {
  onTable: (table: ReadTable, name: string) => void;
}

/** File picker and drop zone, with a description of the expected file. */
export function PickFile({ onTable }: PickFileProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File) => {
    setProblem(null);
    // One more byte is enough to detect an oversized file.
    const read = await file
      .slice(0, IMPORT_FILE_BYTES + 1)
      .arrayBuffer()
      .then(async (buffer) => readImportFile(new Uint8Array(buffer)))
      .catch(() => null);
    if (read?.kind === 'table') onTable(read, file.name);
    else
      setProblem(read?.problem ?? 'Файл не читается. Проверьте, что он на месте, и выберите снова');
  };
  return (
    <Stack>
      <FileField
        look="zone"
        label="Файл CSV или Excel"
        icon={IconUpload}
        accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain"
        error={problem}
        onPick={(file) => void take(file)}
      >
        <Stack gap="xs" maw="44rem">
          <p>
            Столбцы называются «Имя» и «Почта», по желанию «Роль», «Класс» и «Пароль». Вместо «Имя»
            могут стоять «Фамилия», «Имя» и «Отчество» по отдельности. Без роли человек станет
            учеником, без пароля сайт придумает его сам. Ученик войдёт в свой класс, а класс,
            которого ещё нет, появится.
          </p>
          <Text size="sm" c="dimmed">
            До {formatNumber(MAX_IMPORT_ROWS)} строк. Разделитель и кодировка CSV определятся сами.
            Пока вы не подтвердите, ничего не создаётся.
          </Text>
        </Stack>
      </FileField>
      <div>
        <TemplateButton />
      </div>
    </Stack>
  );
}
