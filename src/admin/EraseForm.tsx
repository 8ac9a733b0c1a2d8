import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { FieldError } from '#app/ui/FieldError.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { TextField } from '#app/ui/TextField.tsx';
import classes from './Admin.module.css';

const plain = (text: string) =>
  text.trim().toLowerCase().replaceAll('ё', 'е').replaceAll(/\s+/g, ' ');

export interface EraseFormProps {
  user: AdminUser;
  isBusy: boolean;
  problem: string | null;
  onErase: () => void;
  onCancel: () => void;
}

/** The last look before an account is erased: its name has to be typed. */
export function EraseForm({ user, isBusy, problem, onErase, onCancel }: EraseFormProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const send = () => {
    if (plain(name) === plain(user.userName)) return onErase();
    setError('Имя не совпадает');
    field.current?.focus();
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
      <div className={classes.words}>
        <p>
          Останутся без имени: созданные тесты, которые проходили другие, вместе с их результатами,
          классы с учениками и поставленные оценки.
        </p>
        <p>
          Пропадут навсегда: учётная запись, входы на всех устройствах, попытки, ответы, файлы,
          проекты, банк вопросов и тесты, которых никто не проходил.
        </p>
      </div>
      <InlineNote tone="bad">
        Вернуть стёртое нельзя. Если данные ещё понадобятся, сначала скачайте их.
      </InlineNote>
      <TextField
        ref={field}
        label="Чтобы подтвердить, введите имя"
        description={user.userName}
        type="text"
        autoComplete="off"
        value={name}
        error={error}
        onChange={(event) => {
          setName(event.target.value);
          setError('');
        }}
      />
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button data-autofocus fullWidth onClick={onCancel}>
        Оставить
      </Button>
      <Button type="submit" variant="default" fullWidth loading={isBusy}>
        Стереть навсегда
      </Button>
    </form>
  );
}
