import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount, type Forms } from '#domain/format.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './Import.module.css';
import { forgetKept, keptFor } from './kept.ts';
import { saveCsv } from './save-csv.ts';

const ACCOUNTS: Forms = ['учётная запись', 'учётные записи', 'учётных записей'];

/** After a sign-in that ended in the middle of an import: the passwords that were made until then. */
export function KeptNote({ ownId }: { ownId: string }) {
  const [table, setTable] = useState(() => keptFor(ownId));
  if (table === null) return null;
  const count = table.length - 1;
  return (
    <>
      <InlineNote tone="warn" role="status">
        Импорт прервался вместе с входом. До этого создано: {formatCount(count, ACCOUNTS)}. Пароли
        есть только на этой странице. Скачайте файл сейчас, а остальных создайте тем же файлом: кто
        уже есть, второй раз не появится.
      </InlineNote>
      <div className={classes.buttons}>
        <Button
          leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
          onClick={() => {
            saveCsv(table, 'Новые пользователи.csv');
            forgetKept();
            setTable(null);
          }}
        >
          Скачать созданных с паролями
        </Button>
      </div>
    </>
  );
}
