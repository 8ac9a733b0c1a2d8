import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { roleLabel } from '#domain/labels.ts';
import { DefinitionRows } from '#app/ui/DefinitionRows.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { PrintedCards } from '#app/ui/PrintedCards.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Admin.module.css';

/** A made password and whose it is. */
export interface MadePassword {
  user: AdminUser;
  password: string;
}

function useCopied(text: string) {
  const [state, setState] = useState<'none' | 'copied' | 'failed'>('none');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Forbidden, or the connection is not secure.
      setState('failed');
    }
  };
  return { state, copy };
}

function Shown({ user, password }: MadePassword) {
  const { state, copy } = useCopied(password);
  const { userId, userName, email, role } = user;
  return (
    <div className={classes.stack}>
      <InlineNote tone="warn">
        Пароль виден только сейчас: сайт хранит его так, что прочитать нельзя. Передайте его
        владельцу учётной записи.
      </InlineNote>
      <DefinitionRows
        rows={[
          { label: 'Имя', value: userName },
          { label: 'Почта для входа', value: email },
          { label: 'Пароль', value: <b className={classes.password}>{password}</b> },
        ]}
      />
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={
            state === 'copied' ? (
              <IconCheck size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconCopy size={20} stroke={1.75} aria-hidden />
            )
          }
          onClick={() => void copy()}
        >
          {state === 'copied' ? 'Скопировано' : 'Скопировать'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          Напечатать карточку
        </Button>
      </div>
      <div role="alert">
        {state === 'failed' && (
          <FieldError>Скопировать не удалось. Выделите пароль и скопируйте сами</FieldError>
        )}
      </div>
      <PrintedCards cards={[{ userId, userName, email, password }]} group={roleLabel(role)} />
    </div>
  );
}

/** Shows a made password, which is in the memory of this page and nowhere else. */
export function ShownPassword({
  made,
  onClose,
}: {
  made: MadePassword | null;
  onClose: () => void;
}) {
  return (
    <Sheet
      opened={made !== null}
      onClose={onClose}
      title="Пароль для входа"
      footer={<Button onClick={onClose}>Готово</Button>}
    >
      {made && <Shown {...made} />}
    </Sheet>
  );
}
