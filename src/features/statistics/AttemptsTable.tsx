import { Box, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { StatisticsOrder } from '#contract/orders.ts';
import type { StatisticsRow } from '#contract/statistics.ts';
import { ATTEMPTS, formatCount, formatNumber } from '#domain/format.ts';
import { lateAnswersMessage } from '#domain/labels-statistics.ts';
import { formatDuration, formatShortMoment } from '#domain/format-time.ts';
import { attemptStateName } from '#domain/labels-answer.ts';
import { ListControls, ListPager, NothingFound } from '#app/lib/list/ListPage.tsx';
import type { List, ListData } from '#app/lib/list/use-list.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { AttemptStatePill } from '#app/ui/data/AttemptStatePill.tsx';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import type { StatisticsUser, TestStatistics } from './queries.ts';
import { Card, CardHead, INSET } from './CardHead.tsx';
import type { StatisticsSearch } from './statistics-search.ts';

interface AttemptsTableProps {
  testId: string;
  statistics: TestStatistics;
  search: StatisticsSearch;
  list: List<ListData>;
}

type OrderChoice = `${StatisticsOrder}${'' | '-'}`;

/** Trailing minus: descending. */
const ORDERS: readonly { value: OrderChoice; label: string }[] = [
  { value: 'name', label: 'По имени' },
  { value: 'name-', label: 'По имени, с конца' },
  { value: 'points-', label: 'Сначала больше баллов' },
  { value: 'points', label: 'Сначала меньше баллов' },
  { value: 'finished-', label: 'Сначала новые' },
  { value: 'finished', label: 'Сначала давние' },
  { value: 'used-', label: 'Сначала долгие' },
  { value: 'used', label: 'Сначала быстрые' },
];

const isOrder = (text: string): text is StatisticsOrder =>
  StatisticsOrder.options.some((order) => order === text);

function State({ row }: { row: StatisticsRow }) {
  if (row.userTestId === null) {
    return (
      <StatePill icon={IconCircleDashed} tone="quiet">
        Не приступал
      </StatePill>
    );
  }
  if (row.held > 0) {
    return (
      <StatePill icon={IconAlertTriangle} tone="warn">
        Ждёт решения
      </StatePill>
    );
  }
  if (row.end === null) {
    return <AttemptStatePill state={row.state === 2 ? 'timeOver' : attemptStateName(row.state)} />;
  }
  if (row.pendingReview) return <TestStatusPill status="pendingReview" />;
  return <AttemptStatePill state="over" />;
}

function useColumns(testId: string, isTable: boolean) {
  const { serverNow, timeZone } = useDevice();
  const finishedOf = ({ finishedAt }: StatisticsRow) =>
    finishedAt === null ? '–' : formatShortMoment(new Date(finishedAt), serverNow(), timeZone);
  const usedOf = ({ usedSeconds }: StatisticsRow) =>
    usedSeconds === null ? '–' : formatDuration(usedSeconds * 1000);
  const columns: readonly [DataColumn<StatisticsUser>, ...DataColumn<StatisticsUser>[]] = [
    {
      key: 'name',
      head: 'Ученик',
      isSortable: true,
      isWide: true,
      renderCell: ({ attemptId, name, row }) => (
        <Stack gap={0} align="flex-start">
          {attemptId === null ? (
            <span>{name}</span>
          ) : (
            <Link
              to="/tests/$testId/results/$attemptId"
              params={{ testId, attemptId }}
              className={isTable ? undefined : 'tap'}
            >
              {name}
            </Link>
          )}
          <Text span size="sm" c="dimmed">
            {[
              ...row.groups,
              ...(row.attemptNumber === null ? [] : [`попытка ${row.attemptNumber}`]),
              ...(row.counted ? ['засчитана'] : []),
              ...(isTable ? [] : [finishedOf(row), usedOf(row)].filter((text) => text !== '–')),
            ].join(', ')}
          </Text>
          {row.trial && <TrialPill />}
          {row.pointsWithoutLate !== null && (
            <Text span size="sm" c="dimmed">
              {lateAnswersMessage(row.receivedLate, row.pointsWithoutLate)}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'points',
      head: 'Баллы',
      isFigure: true,
      isSortable: true,
      narrow: 'line',
      renderCell: ({ score, row }) =>
        score === null ? (
          '–'
        ) : (
          <>
            <Text component="b" inherit fw={600}>
              {formatNumber(score)}
            </Text>{' '}
            из {formatNumber(row.testPoints)}
          </>
        ),
    },
    {
      key: 'state',
      head: 'Состояние',
      narrow: 'line',
      renderCell: ({ row }) => <State row={row} />,
    },
    {
      key: 'finished',
      head: 'Окончание',
      isFigure: true,
      isSortable: true,
      narrow: 'none',
      renderCell: ({ row }) => finishedOf(row),
    },
    {
      key: 'used',
      head: 'Время',
      isFigure: true,
      isSortable: true,
      narrow: 'none',
      renderCell: ({ row }) => usedOf(row),
    },
  ];
  return columns;
}

/** Table of attempts, searched, sorted and paged on the server. */
export function AttemptsTable({ testId, statistics, search, list }: AttemptsTableProps) {
  const isTable = useMedia('(min-width: 640px)');
  const columns = useColumns(testId, isTable);
  const { users, total, unstarted } = statistics;
  const sortOrder = search.sortOrder ?? 'name';
  const order = (key: string, descending: boolean) => {
    if (!isOrder(key)) return;
    list.change({ sortOrder: key, descending: descending ? '1' : undefined }, { replace: false });
  };
  return (
    <Card labelledBy="statistics-attempts">
      <CardHead heading="Ученики" id="statistics-attempts">
        <span role="status">
          {formatCount(total - unstarted, ATTEMPTS)}
          {unstarted > 0 && `, не приступали: ${unstarted}`}
        </span>
      </CardHead>
      <Stack {...INSET} maw={{ base: '26rem', md: '28rem' }} gap="xs" mb="xs">
        <ListControls list={list}>
          <SearchField
            label="Поиск по имени ученика"
            placeholder="Имя ученика"
            value={list.searchQuery}
            onSearch={(searchQuery) => list.change({ searchQuery }, { replace: true })}
          />
        </ListControls>
        {!isTable && (
          <SelectField<OrderChoice>
            native
            label="Порядок"
            labelHidden
            choices={ORDERS}
            value={`${sortOrder}${search.descending ? '-' : ''}`}
            onChange={(value) => order(value.replace('-', ''), value.endsWith('-'))}
          />
        )}
      </Stack>
      {total === 0 ? (
        <NothingFound
          list={list}
          heading="Никого не нашлось"
          message="Измените имя или сбросьте фильтры: тогда будут видны все ученики."
        />
      ) : (
        <DataTable
          caption="Ученики"
          rows={users}
          rowKey={({ attemptId, id }) => attemptId ?? id}
          columns={columns}
          sort={{ key: sortOrder, descending: search.descending === '1', onSort: order }}
        />
      )}
      <Box {...INSET}>
        <ListPager list={list} />
      </Box>
    </Card>
  );
}
