import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import {
  createUser,
  eraseUser,
  exportUserData,
  resetUserPassword,
  setUserBlocked,
  updateUser,
  type AdminUser,
} from '#contract/admin.ts';
import type { RoleNumber } from '#contract/auth.ts';
import { removeUserFactors } from '#contract/second-factor.ts';
import { roleLabel } from '#domain/labels.ts';
import { call } from '#app/api/call.ts';
import { download } from '#app/api/download.ts';
import { DataDownload } from '#app/offline/DataDownload.tsx';
import { ConfirmSheet } from '#app/ui/ConfirmSheet.tsx';
import { FieldError } from '#app/ui/FieldError.tsx';
import { GuardedSheet } from '#app/ui/GuardedSheet.tsx';
import { Sheet } from '#app/ui/Sheet.tsx';
import classes from './Admin.module.css';
import { EraseForm } from './EraseForm.tsx';
import { NewPersonForm, PersonForm, RoleChoice } from './PersonForms.tsx';
import { problemWords } from './problem-words.ts';
import type { MadePassword } from './ShownPassword.tsx';
import type { UserAction } from './user-actions.ts';

/** What is asked about now; `new`: an account that is not there yet. */
export type Asked = { kind: Exclude<UserAction, 'unblock'>; user: AdminUser } | { kind: 'new' };

export interface UserSheetsProps {
  asked: Asked | null;
  onClose: () => void;
  /** Something has changed, in words; the account is null when it is erased. */
  onChanged: (words: string, user: AdminUser | null) => void;
  onPassword: (made: MadePassword) => void;
}

function RoleForm({ user, onChanged }: { user: AdminUser } & Pick<UserSheetsProps, 'onChanged'>) {
  const [role, setRole] = useState<RoleNumber>(user.role);
  const change = useMutation({
    mutationFn: () => call(updateUser, { params: { userId: user.userId }, body: { role } }),
    onSuccess: (changed) =>
      onChanged(`${changed.userName}: теперь ${roleLabel(changed.role)}`, changed),
  });
  const problem = problemWords(change.error);
  return (
    <form
      className={classes.stack}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <RoleChoice role={role} onChange={setRole} />
      <p className={classes.quiet}>
        Новая роль действует со следующего запроса: выходить и входить снова не нужно. На открытой
        странице новые разделы появятся, когда её обновят.
      </p>
      <div role="alert">{problem !== null && <FieldError>{problem}</FieldError>}</div>
      <Button type="submit" fullWidth loading={change.isPending}>
        Изменить роль
      </Button>
    </form>
  );
}

function BlockSheet({ user, onClose, onChanged }: AskedOf) {
  const block = useMutation({
    mutationFn: () =>
      call(setUserBlocked, { params: { userId: user.userId }, body: { isBlocked: true } }),
    onSuccess: (changed) => onChanged(`Учётная запись заблокирована: ${changed.userName}`, changed),
  });
  return (
    <ConfirmSheet
      opened
      title={`Заблокировать: ${user.userName}?`}
      confirm="Заблокировать"
      cancel="Оставить"
      isBusy={block.isPending}
      problem={problemWords(block.error)}
      onConfirm={() => block.mutate()}
      onClose={onClose}
    >
      <div className={classes.words}>
        <p>
          Ответы, которые ещё не отправлены, останутся на устройствах и уйдут, если снова открыть
          вход. Результаты и проекты сохранятся.
        </p>
        <p>Вход закроется со следующего запроса, на всех устройствах сразу.</p>
      </div>
    </ConfirmSheet>
  );
}

function PasswordSheet({ user, onClose, onPassword }: AskedOf) {
  const reset = useMutation({
    mutationFn: () => call(resetUserPassword, { params: { userId: user.userId } }),
    // The password stays nowhere but on the page that shows it.
    gcTime: 0,
    onSuccess: ({ password }) => onPassword({ user, password }),
  });
  return (
    <ConfirmSheet
      opened
      title={`Сбросить пароль: ${user.userName}?`}
      confirm="Сбросить"
      cancel="Оставить"
      isBusy={reset.isPending}
      problem={problemWords(reset.error)}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <div className={classes.words}>
        <p>
          Прежний пароль перестанет действовать, и на всех устройствах придётся войти заново.
          Неотправленные ответы на них не пропадут: они уйдут после входа.
        </p>
        <p>Новый пароль будет показан один раз.</p>
      </div>
    </ConfirmSheet>
  );
}

function FactorsSheet({ user, onClose, onChanged }: AskedOf) {
  const remove = useMutation({
    mutationFn: () => call(removeUserFactors, { params: { userId: user.userId } }),
    onSuccess: () => onChanged(`Вход в два шага сброшен: ${user.userName}`, user),
  });
  return (
    <ConfirmSheet
      opened
      title={`Сбросить вход в два шага: ${user.userName}?`}
      confirm="Сбросить"
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={problemWords(remove.error)}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={classes.words}>
        <p>
          Это нужно, когда потерян телефон и нет кодов восстановления. Убедитесь, что просит сам
          владелец: после сброса для входа хватит пароля.
        </p>
        <p>
          Приложение с кодами, ключи входа и коды восстановления перестанут действовать, на всех
          устройствах придётся войти заново. Работы и результаты не изменятся.
        </p>
      </div>
    </ConfirmSheet>
  );
}

function EraseSheet({ user, onClose, onChanged }: AskedOf) {
  const erase = useMutation({
    mutationFn: () => call(eraseUser, { params: { userId: user.userId } }),
    onSuccess: () => onChanged('Учётная запись и её данные стёрты', null),
  });
  return (
    <Sheet opened onClose={onClose} title={`Стереть учётную запись: ${user.userName}?`}>
      <EraseForm
        user={user}
        isBusy={erase.isPending}
        problem={problemWords(erase.error)}
        onErase={() => erase.mutate()}
        onCancel={onClose}
      />
    </Sheet>
  );
}

interface FormSheetProps {
  onClose: () => void;
  title: string;
  children: (onDirty: (isDirty: boolean) => void) => ReactNode;
}

/** Asks before what is typed about a person is lost. */
function FormSheet({ onClose, title, children }: FormSheetProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <GuardedSheet
      opened
      onClose={onClose}
      title={title}
      isDirty={isDirty}
      unsaved="Введённое ещё не сохранено и пропадёт."
    >
      {children(setDirty)}
    </GuardedSheet>
  );
}

type AskedOf = Omit<UserSheetsProps, 'asked'> & { user: AdminUser };

function SheetOf({ kind, ...rest }: AskedOf & { kind: Exclude<Asked['kind'], 'new'> }) {
  const { user, onClose, onChanged } = rest;
  switch (kind) {
    case 'block':
      return <BlockSheet {...rest} />;
    case 'password':
      return <PasswordSheet {...rest} />;
    case 'factors':
      return <FactorsSheet {...rest} />;
    case 'erase':
      return <EraseSheet {...rest} />;
    case 'role':
      return (
        <Sheet opened onClose={onClose} title={`Роль: ${user.userName}`}>
          <RoleForm user={user} onChanged={onChanged} />
        </Sheet>
      );
    case 'edit':
      return (
        <FormSheet onClose={onClose} title="Имя и почта">
          {(onDirty) => (
            <PersonForm
              user={user}
              onDirty={onDirty}
              save={async (body) => {
                if (Object.keys(body).length === 0) return onClose();
                const changed = await call(updateUser, { params: { userId: user.userId }, body });
                onChanged(`Сохранено: ${changed.userName}`, changed);
              }}
            />
          )}
        </FormSheet>
      );
    case 'data':
      return (
        <Sheet opened onClose={onClose} title={`Данные: ${user.userName}`}>
          <div className={classes.stack}>
            <p>
              Всё, что сайт хранит об этом человеке, одним архивом: учётная запись, попытки, ответы,
              оценки, файлы и проекты. Выдавайте его только самому человеку или его представителю.
            </p>
            <DataDownload
              label="Скачать архив"
              fetch={(options) =>
                download(exportUserData, { params: { userId: user.userId } }, options)
              }
              onDone={() => onChanged(`Данные скачаны: ${user.userName}`, user)}
            />
          </div>
        </Sheet>
      );
  }
}

/** The dialogs about accounts, one at a time. */
export function UserSheets({ asked, ...rest }: UserSheetsProps) {
  const { onClose, onChanged, onPassword } = rest;
  if (asked === null) return null;
  if (asked.kind !== 'new') return <SheetOf kind={asked.kind} user={asked.user} {...rest} />;
  return (
    <FormSheet onClose={onClose} title="Новый пользователь">
      {(onDirty) => (
        <NewPersonForm
          onDirty={onDirty}
          save={async ({ password: own, ...person }) => {
            const body = { ...person, ...(own !== undefined && { password: own }) };
            const { user, password } = await call(createUser, { body });
            onChanged(`Создана учётная запись: ${user.userName}`, user);
            if (password !== null) onPassword({ user, password });
          }}
        />
      )}
    </FormSheet>
  );
}
