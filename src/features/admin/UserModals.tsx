import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import * as v from 'valibot';
import {
  createUser,
  exportUserData,
  resetUserPassword,
  setUserBlocked,
  updateUser,
  type AdminUser,
} from '#contract/admin.ts';
import { RoleNumber } from '#contract/auth.ts';
import { liftCodesStop, removeUserFactors } from '#contract/second-factor.ts';
import { roleLabel } from '#domain/labels.ts';
import { call } from '#app/api/call.ts';
import { download } from '#app/api/download.ts';
import { DataDownload } from '#app/lib/DataDownload.tsx';
import { useAppForm } from '#app/lib/use-app-form.ts';
import { AppForm } from '#app/ui/forms/AppForm.tsx';
import { FormFoot } from '#app/ui/forms/FormFoot.tsx';
import { FormField } from '#app/ui/forms/FormField.tsx';
import { ConfirmModal } from '#app/ui/overlays/ConfirmModal.tsx';
import { SwitchField } from '#app/ui/forms/SwitchField.tsx';
import { FormModal } from '#app/ui/overlays/FormModal.tsx';
import { Modal } from '#app/ui/overlays/Modal.tsx';
import { EraseForm } from './EraseForm.tsx';
import { NewPersonForm, PersonForm, RoleChoice } from './PersonForms.tsx';
import { problemMessage } from './messages.ts';
import { TeachingForm } from './TeachingForm.tsx';
import type { MadePassword } from './ShownPassword.tsx';
import type { UserAction } from './user-actions.ts';

/** The open modal; `new`: an account to create. */
export type PendingConfirmation =
  | { kind: Exclude<UserAction, 'unblock'>; user: AdminUser }
  | { kind: 'new' };

export interface UserModalsProps {
  pending: PendingConfirmation | null;
  onClose: () => void;
  /** Called with a success message; the account is null if erased. */
  onChanged: (message: string, user: AdminUser | null) => void;
  onPassword: (made: MadePassword) => void;
}

function RoleForm({ user, onChanged }: { user: AdminUser } & Pick<UserModalsProps, 'onChanged'>) {
  const form = useAppForm({
    schema: v.object({ role: RoleNumber }),
    initialValues: { role: user.role },
    send: async (body) => {
      const changed = await call(updateUser, { params: { userId: user.userId }, body });
      onChanged(`${changed.userName}: теперь ${roleLabel(changed.role)}`, changed);
    },
  });
  return (
    <AppForm of={form}>
      <FormField of={form} component={RoleChoice} name="role" />
      <Text size="sm" c="dimmed">
        Новая роль действует со следующего запроса: выходить и входить снова не нужно. На открытой
        странице новые разделы появятся, когда её обновят.
      </Text>
      <FormFoot of={form} fullWidth label="Изменить роль" />
    </AppForm>
  );
}

function BlockModal({ user, onClose, onChanged }: PendingConfirmationOf) {
  const block = useMutation({
    mutationFn: () =>
      call(setUserBlocked, { params: { userId: user.userId }, body: { isBlocked: true } }),
    onSuccess: (changed) => onChanged(`Учётная запись заблокирована: ${changed.userName}`, changed),
  });
  return (
    <ConfirmModal
      opened
      title={`Заблокировать: ${user.userName}?`}
      confirm="Заблокировать"
      cancel="Оставить"
      isBusy={block.isPending}
      problem={problemMessage(block.error)}
      onConfirm={() => block.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          Ответы, которые ещё не отправлены, останутся на устройствах и уйдут, если снова открыть
          вход. Результаты и проекты сохранятся.
        </p>
        <p>Вход закроется со следующего запроса, на всех устройствах сразу.</p>
      </Stack>
    </ConfirmModal>
  );
}

function PasswordModal({ user, onClose, onPassword }: PendingConfirmationOf) {
  const reset = useMutation({
    mutationFn: () => call(resetUserPassword, { params: { userId: user.userId } }),
    // The password must not stay in the mutation cache.
    gcTime: 0,
    onSuccess: ({ password }) => onPassword({ user, password }),
  });
  return (
    <ConfirmModal
      opened
      title={`Сбросить пароль: ${user.userName}?`}
      confirm="Сбросить"
      cancel="Оставить"
      isBusy={reset.isPending}
      problem={problemMessage(reset.error)}
      onConfirm={() => reset.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          Прежний пароль перестанет действовать, и на всех устройствах придётся войти заново.
          Неотправленные ответы на них не пропадут: они уйдут после входа.
        </p>
        <p>Новый пароль будет показан один раз.</p>
      </Stack>
    </ConfirmModal>
  );
}

/** Removes the second factors. The administrator confirms that the account's owner is present. */
function FactorsModal({ user, onClose, onChanged }: PendingConfirmationOf) {
  const [isOwner, setOwner] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(removeUserFactors, { params: { userId: user.userId } }),
    onSuccess: () => onChanged(`Вход в два шага сброшен: ${user.userName}`, user),
  });
  return (
    <ConfirmModal
      opened
      title={`Сбросить вход в два шага: ${user.userName}?`}
      confirm="Сбросить"
      cancel="Оставить"
      isBusy={remove.isPending}
      problem={isMissing ? 'Убедитесь, кто просит, и отметьте это' : problemMessage(remove.error)}
      onConfirm={() => (isOwner ? remove.mutate() : setMissing(true))}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          Это нужно, когда потерян телефон и нет кодов восстановления. После сброса для входа хватит
          пароля.
        </p>
        <SwitchField
          label="Просит сам владелец"
          description="Я узнал его при встрече или по видеосвязи"
          value={isOwner}
          onChange={(value) => {
            setOwner(value);
            setMissing(false);
          }}
        />
        <p>
          Приложение с кодами, ключи входа и коды восстановления перестанут действовать, на всех
          устройствах придётся войти заново. Работы и результаты не изменятся.
        </p>
      </Stack>
    </ConfirmModal>
  );
}

function CodesModal({ user, onClose, onChanged }: PendingConfirmationOf) {
  const lift = useMutation({
    mutationFn: () => call(liftCodesStop, { params: { userId: user.userId } }),
    onSuccess: () => onChanged(`Коды из приложения снова принимаются: ${user.userName}`, user),
  });
  return (
    <ConfirmModal
      opened
      title={`Снова разрешить коды: ${user.userName}?`}
      confirm="Разрешить"
      cancel="Оставить"
      isBusy={lift.isPending}
      problem={problemMessage(lift.error)}
      onConfirm={() => lift.mutate()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p>
          Кто-то много раз ввёл неверный код после верного пароля. Если это не владелец, его пароль
          знает посторонний: сначала сбросьте пароль, коды после этого разрешатся сами.
        </p>
        <p>Приложение с кодами, ключи входа и коды восстановления останутся прежними.</p>
      </Stack>
    </ConfirmModal>
  );
}

interface PersonFormModalProps {
  onClose: () => void;
  title: string;
  children: (onDirty: (isDirty: boolean) => void) => ReactNode;
}

/** Confirms dropping unsaved input. */
function PersonFormModal({ onClose, title, children }: PersonFormModalProps) {
  const [isDirty, setDirty] = useState(false);
  return (
    <FormModal
      opened
      onClose={onClose}
      title={title}
      isDirty={isDirty}
      unsaved="Введённое ещё не сохранено и пропадёт."
    >
      {children(setDirty)}
    </FormModal>
  );
}

type PendingConfirmationOf = Omit<UserModalsProps, 'pending'> & { user: AdminUser };

function SheetOf({
  kind,
  ...rest
}: PendingConfirmationOf & { kind: Exclude<PendingConfirmation['kind'], 'new'> }) {
  const { user, onClose, onChanged } = rest;
  switch (kind) {
    case 'block':
      return <BlockModal {...rest} />;
    case 'password':
      return <PasswordModal {...rest} />;
    case 'factors':
      return <FactorsModal {...rest} />;
    case 'codes':
      return <CodesModal {...rest} />;
    case 'erase':
      return (
        <Modal opened onClose={onClose} title={`Стереть учётную запись: ${user.userName}?`}>
          <EraseForm
            user={user}
            onErased={() => onChanged('Учётная запись и её данные стёрты', null)}
            onKeep={onClose}
          />
        </Modal>
      );
    case 'teaching':
      return (
        <Modal opened onClose={onClose} title={`Передать тесты и классы: ${user.userName}?`}>
          <TeachingForm
            user={user}
            onDone={(message) => onChanged(message, user.erasedAt === undefined ? user : null)}
          />
        </Modal>
      );
    case 'role':
      return (
        <Modal opened onClose={onClose} title={`Роль: ${user.userName}`}>
          <RoleForm user={user} onChanged={onChanged} />
        </Modal>
      );
    case 'edit':
      return (
        <PersonFormModal onClose={onClose} title="Имя и почта">
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
        </PersonFormModal>
      );
    case 'data':
      return (
        <Modal opened onClose={onClose} title={`Данные: ${user.userName}`}>
          <Stack>
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
          </Stack>
        </Modal>
      );
  }
}

/** The modals about accounts, one at a time. */
export function UserModals({ pending, ...rest }: UserModalsProps) {
  const { onClose, onChanged, onPassword } = rest;
  if (pending === null) return null;
  if (pending.kind !== 'new') return <SheetOf kind={pending.kind} user={pending.user} {...rest} />;
  return (
    <PersonFormModal onClose={onClose} title="Новый пользователь">
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
    </PersonFormModal>
  );
}
