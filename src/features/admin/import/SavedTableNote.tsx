import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount, type Forms } from '#domain/format.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { forgetSavedTable, readSavedTable } from './saved-table.ts';
import { saveCsv } from './save-csv.ts';

const ACCOUNTS: Forms = ['учётная запись', 'учётные записи', 'учётных записей'];

/** Offers the passwords created before the session ended during an import. */
export function SavedTableNote({ ownId }: { ownId: string }) {
  const [table, setTable] = useState(() => readSavedTable(ownId));
  if (table === null) return null;
  const count = table.length - 1;
  return (
    <>
      <InlineNote tone="warn" role="status">
        Импорт прервался вместе с входом. До этого создано: {formatCount(count, ACCOUNTS)}. Пароли
        есть только на этой странице. Скачайте файл сейчас, а остальных создайте тем же файлом: кто
        уже есть, второй раз не появится.
      </InlineNote>
      <Group className="wide-on-phones" gap="xs">
        <Button
          leftSection={<Icon of={IconDownload} />}
          onClick={() => {
            saveCsv(table, 'Новые пользователи.csv');
            forgetSavedTable();
            setTable(null);
          }}
        >
          Скачать созданных с паролями
        </Button>
      </Group>
    </>
  );
}
