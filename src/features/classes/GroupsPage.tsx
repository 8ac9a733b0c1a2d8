import { Box, Button, Flex, Text } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { createGroup, type Group } from '#contract/groups.ts';
import { formatCount, type Forms, STUDENTS } from '#domain/format.ts';
import { showJoinCode } from '#domain/join-codes.ts';
import { call } from '#app/api/call.ts';
import { ListPage } from '#app/lib/list/ListPage.tsx';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Icon } from '#app/ui/Icon.tsx';
import { CellHead } from '#app/ui/data/CellHead.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { groupAddress, type GroupSearch } from './group-search.ts';
import { cx } from '#app/ui/cx.ts';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import list from '#app/ui/data/list.module.css';
import classes from './GroupsPage.module.css';
import { NameModal } from './NameModal.tsx';
import { groupsQuery, PAGE_SIZE, renewGroups } from './queries.ts';

const CLASSES: Forms = ['класс', 'класса', 'классов'];

export interface GroupsPageProps {
  /** State of the page from the URL. */
  search: GroupSearch;
  onSearch: OnSearch<GroupSearch>;
  /** Admins see all classes, with their teachers. */
  withOwners: boolean;
}

const SMALL = {
  span: true,
  fz: { base: 'sm', md: 15 },
  lh: 1.43,
  c: 'dimmed',
  className: 'tabular',
} as const;

function GroupRow({ group, withOwners }: { group: Group; withOwners: boolean }) {
  const students =
    group.memberCount === 0 ? 'нет учеников' : formatCount(group.memberCount, STUDENTS);
  return (
    <li className={list.row}>
      <Box miw={0} className={cx('break-anywhere', classes.name)}>
        <Link to="/groups/$groupId" params={{ groupId: group.groupId }} className={list.link}>
          {group.name}
        </Link>
        {(withOwners || group.level !== 'owner') && (
          <Text size="sm" c="dimmed" className="tabular">
            <CellHead>Преподаватель</CellHead>
            <span>{group.owner}</span>
          </Text>
        )}
      </Box>
      <Text {...SMALL}>
        <CellHead>Ученики</CellHead>
        <span>{students}</span>
      </Text>
      <Text {...SMALL} ta={{ base: 'end', md: 'start' }}>
        <CellHead>Код для вступления</CellHead>
        <span>{group.joinCode === null ? 'без кода' : showJoinCode(group.joinCode)}</span>
      </Text>
      <Text span c="dimmed" lh={0} className="from-desktop">
        <Icon of={IconChevronRight} />
      </Text>
    </li>
  );
}

const COLUMNS = { '--columns': 'minmax(0, 1fr) 10rem 12rem 1.25rem', '--row-gap': '0.25rem 1rem' };

function GroupRows({ items, withOwners }: { items: readonly Group[]; withOwners: boolean }) {
  return (
    <Box className={cx(list.list, 'card-from-desktop')} style={COLUMNS}>
      <div className={list.head} aria-hidden>
        <span>{withOwners ? 'Класс и преподаватель' : 'Класс'}</span>
        <span>Ученики</span>
        <span>Код для вступления</span>
      </div>
      <ul>
        {items.map((group) => (
          <GroupRow key={group.groupId} group={group} withOwners={withOwners} />
        ))}
      </ul>
    </Box>
  );
}

function CreateModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <NameModal
      opened={opened}
      onClose={onClose}
      title="Новый класс"
      initial=""
      submit="Создать класс"
      save={async (name) => {
        const { groupId } = await call(createGroup, { body: { name } });
        void renewGroups(client);
        await navigate({ to: '/groups/$groupId', params: { groupId } });
      }}
    />
  );
}

/** The teacher's classes, for admins all, searched and paged on the server. */
export function GroupsPage({ search, onSearch, withOwners }: GroupsPageProps) {
  const list = useList({
    query: usePageQuery(groupsQuery(search)),
    search,
    onSearch,
    address: groupAddress,
    pageSize: PAGE_SIZE,
  });
  const [dialog, setDialog] = useDialogState<'create'>('class');
  const create = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => setDialog('create')}>
      Создать класс
    </Button>
  );
  return (
    <>
      <ListPage
        list={list}
        counted={CLASSES}
        controls={
          <Flex className="wide-on-phones" wrap="wrap" gap="xs" mb="sm">
            <Box flex="1 1 14rem" miw={0}>
              <SearchField
                label={
                  withOwners ? 'Поиск по классу или преподавателю' : 'Поиск по названию класса'
                }
                placeholder="Найти класс"
                value={list.searchQuery}
                onSearch={(searchQuery) => list.change({ searchQuery }, { replace: true })}
              />
            </Box>
            {create}
          </Flex>
        }
        none={
          <EmptyState heading="Пока нет ни одного класса" action={create}>
            Создайте класс: ученики вступят по коду, или вы добавите их списком
          </EmptyState>
        }
        nothing={{
          reset: 'Сбросить поиск',
          message: `Измените запрос: класс ищется по названию${withOwners ? ' и по преподавателю' : ''}`,
        }}
      >
        {({ items }) => <GroupRows items={items} withOwners={withOwners} />}
      </ListPage>
      <CreateModal opened={dialog === 'create'} onClose={() => setDialog(null)} />
    </>
  );
}
