import { Button, VisuallyHidden } from '@mantine/core';
import {
  IconCheck,
  IconFileImport,
  IconLock,
  IconShieldLock,
  IconUserPlus,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { setUserBlocked, type AdminUser } from '#contract/admin.ts';
import { formatCount, type Forms } from '#domain/format.ts';
import { call } from '#app/api/call.ts';
import { failureWords } from '#app/offline/failure-words.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { FilterBar } from '#app/ui/FilterBar.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { PageSpinner } from '#app/ui/PageSpinner.tsx';
import { lastPage } from '#app/ui/pages.ts';
import { Pager } from '#app/ui/Pager.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { useFocusAfter } from '#app/ui/use-focus-after.ts';
import classes from './Admin.module.css';
import { PAGE_SIZE, renewUsers, usersQuery } from './queries.ts';
import { RequirementsSheet } from './RequirementsSheet.tsx';
import { ShownPassword, type MadePassword } from './ShownPassword.tsx';
import type { UserAction } from './user-actions.ts';
import {
  changedUsers,
  isNarrowed,
  usersFilters,
  type OnUsersSearch,
  type UsersSearch,
} from './users-search.ts';
import { UserSheets, type Asked } from './UserSheets.tsx';
import { UsersTable } from './UsersTable.tsx';

const ImportView = lazy(async () => {
  const { ImportView: view } = await import('./import/ImportView.tsx');
  return { default: view };
});

const ACCOUNTS: Forms = ['учётная запись', 'учётные записи', 'учётных записей'];

export interface UsersPageProps {
  /** What the URL says. */
  search: UsersSearch;
  onSearch: OnUsersSearch;
  /** Of the administrator who looks. */
  ownId: string;
  /** The own name or e-mail was changed here. */
  onOwnChanged: (user: Pick<AdminUser, 'userName' | 'email'>) => void;
}

interface Done {
  tone: 'ink' | 'bad';
  words: string;
}

/** What is asked, what was done, and the password to show. */
function useDoing({ ownId, onOwnChanged }: Pick<UsersPageProps, 'ownId' | 'onOwnChanged'>) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const [made, setMade] = useState<MadePassword | null>(null);
  const [told, focusTold] = useFocusAfter<HTMLDivElement>();
  // A reply that comes late closes its own sheet, and none that was opened since.
  const close = () => setAsked((now) => (now === asked ? null : now));
  const tell = (words: string, user: AdminUser | null) => {
    setDone({ tone: 'ink', words });
    // The row goes away with the menu that the question was opened from.
    if (user === null) focusTold();
    if (user?.userId === ownId) onOwnChanged(user);
    void renewUsers(client);
  };
  const unblock = useMutation({
    mutationFn: ({ userId }: AdminUser) =>
      call(setUserBlocked, { params: { userId }, body: { isBlocked: false } }),
    onSuccess: (user) => tell(`Учётная запись разблокирована: ${user.userName}`, user),
    onError: (error) => setDone({ tone: 'bad', words: failureWords(error) }),
  });
  return {
    asked,
    done,
    told,
    made,
    ask: setAsked,
    onChanged: (words: string, user: AdminUser | null) => {
      close();
      tell(words, user);
    },
    onAction: (user: AdminUser, kind: UserAction) => {
      if (kind === 'unblock') unblock.mutate(user);
      else setAsked({ kind, user });
    },
    onSaved: (words: string) => setDone({ tone: 'ink', words }),
    onPassword: (password: MadePassword) => {
      close();
      setMade(password);
      void renewUsers(client);
    },
    forget: () => setMade(null),
  };
}

function DoneNote({ tone, words }: Done) {
  return (
    <InlineNote tone={tone} role="status" icon={tone === 'bad' ? IconLock : IconCheck}>
      {words}
    </InlineNote>
  );
}

function List({ search, onSearch, ownId, onOwnChanged }: UsersPageProps) {
  const { data, problem, retry, isPrevious } = usePageQuery(usersQuery(search));
  const { told, ...doing } = useDoing({ ownId, onOwnChanged });
  const [isRequiring, setRequiring] = useState(false);
  const { page = 1 } = search;
  const total = data && !isPrevious ? data.total : null;
  const last = total === null ? null : lastPage({ total, pageSize: PAGE_SIZE });

  // The list has become shorter than the page in the URL.
  useEffect(() => {
    if (last !== null && page > last)
      onSearch(changedUsers(search, { page: last }), { replace: true });
  }, [last, page, search, onSearch]);
  const reset = (replace: boolean) =>
    onSearch(changedUsers({}, { sortOrder: search.sortOrder }), { replace });

  return (
    <>
      <div className={classes.controls}>
        <div className={classes.buttons}>
          <Button
            leftSection={<IconUserPlus size={20} stroke={1.75} aria-hidden />}
            onClick={() => doing.ask({ kind: 'new' })}
          >
            Новый пользователь
          </Button>
          <Button
            variant="default"
            leftSection={<IconFileImport size={20} stroke={1.75} aria-hidden />}
            onClick={() => onSearch({ ...search, view: 'import' }, { replace: false })}
          >
            Импорт из CSV
          </Button>
          <Button
            variant="default"
            leftSection={<IconShieldLock size={20} stroke={1.75} aria-hidden />}
            onClick={() => setRequiring(true)}
          >
            Вход в два шага
          </Button>
        </div>
        <FilterBar
          search={{
            label: 'Поиск по имени или почте',
            placeholder: 'Найти по имени или почте',
            shortPlaceholder: 'Имя или почта',
            value: search.searchQuery ?? '',
            onSearch: (searchQuery) =>
              onSearch(changedUsers(search, { searchQuery }), { replace: true }),
          }}
          filters={usersFilters(search, onSearch)}
          found={total === null ? null : formatCount(total, ACCOUNTS)}
          onReset={() => reset(true)}
        />
        {doing.done !== null && (
          <div ref={told} tabIndex={-1}>
            <DoneNote {...doing.done} />
          </div>
        )}
      </div>
      <VisuallyHidden component="output">
        {total !== null && `Найдено: ${formatCount(total, ACCOUNTS)}`}
      </VisuallyHidden>
      {problem !== null ? (
        <QueryProblem error={problem} onRetry={retry} />
      ) : data === undefined ? (
        <RowsSkeleton />
      ) : data.total === 0 && isNarrowed(search) ? (
        <EmptyState
          heading="Никого не нашлось"
          action={
            <Button variant="default" onClick={() => reset(false)}>
              Сбросить фильтры
            </Button>
          }
        >
          Измените имя или почту, либо сбросьте фильтры: тогда будут видны все.
        </EmptyState>
      ) : (
        <>
          <div className={classes.card} aria-busy={isPrevious}>
            <UsersTable users={data.items} ownId={ownId} onAction={doing.onAction} />
          </div>
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={(next) => onSearch(changedUsers(search, { page: next }), { replace: false })}
          />
        </>
      )}
      <UserSheets
        asked={doing.asked}
        onClose={() => doing.ask(null)}
        onChanged={doing.onChanged}
        onPassword={doing.onPassword}
      />
      <ShownPassword made={doing.made} onClose={doing.forget} />
      <RequirementsSheet
        opened={isRequiring}
        onClose={() => setRequiring(false)}
        onSaved={(words) => {
          setRequiring(false);
          doing.onSaved(words);
        }}
      />
    </>
  );
}

/** «Пользователи»: search, roles, blocks, passwords, new ones, import. */
export function UsersPage(props: UsersPageProps) {
  const { search, onSearch } = props;
  if (search.view !== 'import') return <List {...props} />;
  return (
    <Suspense fallback={<PageSpinner />}>
      <ImportView
        ownId={props.ownId}
        onClose={() => {
          const { view: _, ...list } = search;
          onSearch(list, { replace: true });
        }}
      />
    </Suspense>
  );
}
