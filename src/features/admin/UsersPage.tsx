import { Button, Group, Stack } from '@mantine/core';
import {
  IconCheck,
  IconFileImport,
  IconLock,
  IconShieldLock,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { setUserBlocked, type AdminUser } from '#contract/admin.ts';
import type { Forms } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { ListFilters } from '#app/lib/list/ListFilters.tsx';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { useDialogRecord, useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import { PAGE_SIZE, renewUsers, usersQuery } from './queries.ts';
import { RequirementsModal } from './RequirementsModal.tsx';
import { ShownPassword, type MadePassword } from './ShownPassword.tsx';
import type { UserAction } from './user-actions.ts';
import { usersAddress, usersFilters, type UsersSearch } from './users-search.ts';
import { UserModals, type PendingConfirmation } from './UserModals.tsx';
import { UsersTable } from './UsersTable.tsx';

const ImportView = lazyPart(
  () => import('./import/ImportView.tsx'),
  (module) => module.ImportView,
);

const ACCOUNTS: Forms = ['учётная запись', 'учётные записи', 'учётных записей'];

export interface UsersPageProps {
  /** State of the page from the URL. */
  search: UsersSearch;
  onSearch: OnSearch<UsersSearch>;
  /** User id of the administrator. */
  ownId: string;
  /** Called when the administrator's own name or e-mail was changed. */
  onOwnChanged: (user: Pick<AdminUser, 'userName' | 'email'>) => void;
}

const FORMS = ['new', 'edit', 'role'] as const;
const keyOf = (pending: PendingConfirmation) =>
  pending.kind === 'new' ? pending.kind : `${pending.kind} ${pending.user.userId}`;

interface Done {
  tone: 'ink' | 'bad';
  message: string;
}

/** State of the open modal, the last result, and the password to show. */
function useUserActions(
  { ownId, onOwnChanged }: Pick<UsersPageProps, 'ownId' | 'onOwnChanged'>,
  users: readonly AdminUser[] | undefined,
) {
  const client = useQueryClient();
  const [pending, setPending] = useState<PendingConfirmation | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const [made, setMade] = useState<MadePassword | null>(null);
  const [statusRef, focusStatus] = useFocusAfter<HTMLDivElement>();
  // Only forms open again after a reload: blocking, erasing and resetting need a new confirmation.
  const isForm = pending !== null && FORMS.some((kind) => kind === pending.kind);
  const before = useDialogRecord('user', isForm ? keyOf(pending) : null);
  const pendingBefore = FORMS.flatMap((kind): PendingConfirmation[] =>
    kind === 'new' ? [{ kind }] : (users ?? []).map((user) => ({ kind, user })),
  ).find((each) => keyOf(each) === before);
  if (pending === null && pendingBefore) setPending(pendingBefore);
  // A late reply closes its own modal only, not one opened since.
  const close = () => setPending((now) => (now === pending ? null : now));
  const onChanged = (message: string, user: AdminUser | null) => {
    setDone({ tone: 'ink', message });
    // The row with the menu that opened the modal is unmounted.
    if (user === null) focusStatus();
    if (user?.userId === ownId) onOwnChanged(user);
    void renewUsers(client);
  };
  const unblock = useMutation({
    mutationFn: ({ userId }: AdminUser) =>
      call(setUserBlocked, { params: { userId }, body: { isBlocked: false } }),
    onSuccess: (user) => onChanged(`Учётная запись разблокирована: ${user.userName}`, user),
    onError: (error) => setDone({ tone: 'bad', message: describeFailure(error) }),
  });
  return {
    pending,
    done,
    statusRef,
    made,
    ask: setPending,
    onChanged: (message: string, user: AdminUser | null) => {
      close();
      onChanged(message, user);
    },
    onAction: (user: AdminUser, kind: UserAction) => {
      if (kind === 'unblock') unblock.mutate(user);
      else setPending({ kind, user });
    },
    onSaved: (message: string) => setDone({ tone: 'ink', message }),
    onPassword: (password: MadePassword) => {
      close();
      setMade(password);
      void renewUsers(client);
    },
    forget: () => setMade(null),
  };
}

function DoneNote({ tone, message }: Done) {
  return (
    <InlineNote tone={tone} role="status" icon={tone === 'bad' ? IconLock : IconCheck}>
      {message}
    </InlineNote>
  );
}

function Accounts({ search, onSearch, ownId, onOwnChanged }: UsersPageProps) {
  const query = usePageQuery(usersQuery(search));
  const list = useList({
    query,
    search,
    onSearch,
    address: usersAddress,
    pageSize: PAGE_SIZE,
    // An administrator has an account.
    leadsOn: true,
  });
  const { statusRef, ...doing } = useUserActions({ ownId, onOwnChanged }, query.data?.items);
  const [dialog, setDialog] = useDialogState<'requirements'>('requirements');

  return (
    <>
      <ListPage
        list={list}
        counted={ACCOUNTS}
        controls={
          <Stack gap="sm" mb="sm">
            <Group className="wide-on-phones" gap="xs">
              <Button
                leftSection={<Icon of={IconUserPlus} />}
                onClick={() => doing.ask({ kind: 'new' })}
              >
                Новый пользователь
              </Button>
              <Button
                variant="default"
                leftSection={<Icon of={IconFileImport} />}
                onClick={() => onSearch({ ...search, view: 'import' }, { replace: false })}
              >
                Импорт из таблицы
              </Button>
              <Button
                variant="default"
                leftSection={<Icon of={IconShieldLock} />}
                onClick={() => setDialog('requirements')}
              >
                Вход в два шага
              </Button>
            </Group>
            <ListFilters
              list={list}
              counted={ACCOUNTS}
              search={{
                label: 'Поиск по имени или почте',
                placeholder: 'Найти по имени или почте',
                shortPlaceholder: 'Имя или почта',
              }}
              filters={usersFilters(search, onSearch)}
            />
            {doing.done !== null && (
              <div ref={statusRef} tabIndex={-1}>
                <DoneNote {...doing.done} />
              </div>
            )}
          </Stack>
        }
        nothing={{
          heading: 'Никого не нашлось',
          message: 'Измените имя или почту, либо сбросьте фильтры: тогда будут видны все.',
        }}
      >
        {({ items }) => (
          <div className="card-from-tablet">
            <UsersTable users={items} ownId={ownId} onAction={doing.onAction} />
          </div>
        )}
      </ListPage>
      <UserModals
        pending={doing.pending}
        onClose={() => doing.ask(null)}
        onChanged={doing.onChanged}
        onPassword={doing.onPassword}
      />
      <ShownPassword made={doing.made} onClose={doing.forget} />
      <RequirementsModal
        opened={dialog === 'requirements'}
        onClose={() => setDialog(null)}
        onSaved={(message) => {
          setDialog(null);
          doing.onSaved(message);
        }}
      />
    </>
  );
}

/** «Пользователи»: search, roles, blocking, passwords, creation, import. */
export function UsersPage(props: UsersPageProps) {
  const { search, onSearch } = props;
  if (search.view !== 'import') return <Accounts {...props} />;
  return (
    <ImportView
      waiting={<PageSpinner />}
      ownId={props.ownId}
      onClose={() => {
        const { view: _, ...list } = search;
        onSearch(list, { replace: true });
      }}
    />
  );
}
