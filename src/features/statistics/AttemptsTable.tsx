import { Box, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { StatisticsOrder } from '#contract/orders.ts';
import type { StatisticsRow } from '#contract/statistics.ts';
import { ATTEMPTS, formatCount, formatNumber } from '#domain/format.ts';
import { lateAnswersMessage } from '#domain/labels-statistics.ts';
import { formatDuration, formatShortMoment } from '#domain/format-time.ts';
import { attemptStateName } from '#domain/labels-answer.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { AttemptStatePill } from '#app/ui/data/AttemptStatePill.tsx';
import { DataTable, type DataColumn } from '#app/ui/data/DataTable.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { SearchField } from '#app/ui/forms/SearchField.tsx';
import { SelectField } from '#app/ui/forms/SelectField.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { PAGE_SIZE, type StatisticsUser, type TestStatistics } from './queries.ts';
import { Card, CardHead, INSET } from './CardHead.tsx';
import { changed, type StatisticsSearch } from './statistics-search.ts';

interface AttemptsTableProps {
  testId: string;
  statistics: TestStatistics;
  search: StatisticsSearch;
  onSearch: (search: StatisticsSearch, replace?: boolean) => void;
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
export function AttemptsTable({ testId, statistics, search, onSearch }: AttemptsTableProps) {
  const isTable = useMedia('(min-width: 640px)');
  const columns = useColumns(testId, isTable);
  const { users, total, unstarted } = statistics;
  const sortOrder = search.sortOrder ?? 'name';
  const order = (key: string, descending: boolean) => {
    if (!isOrder(key)) return;
    onSearch(changed(search, { sortOrder: key, descending: descending ? '1' : undefined }));
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
        <SearchField
          label="Поиск по имени ученика"
          placeholder="Имя ученика"
          value={search.searchQuery ?? ''}
          onSearch={(searchQuery) => onSearch(changed(search, { searchQuery }), true)}
        />
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
      {users.length === 0 ? (
        <EmptyState heading="Никого не нашлось">
          Измените имя, выберите другой класс или вернитесь на первую страницу.
        </EmptyState>
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
        <Pager
          page={search.page ?? 1}
          pageSize={PAGE_SIZE}
          total={total}
          onPage={(page) => onSearch(changed(search, { page }))}
        />
      </Box>
    </Card>
  );
}
