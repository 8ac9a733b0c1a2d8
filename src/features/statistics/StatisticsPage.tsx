import { Stack } from '@mantine/core';
import { IconReceipt, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TestAnalysis } from '#contract/statistics.ts';
import { formatNumber } from '#domain/format.ts';
import { formatDuration } from '#domain/format-time.ts';
import { useMayManage } from '#app/lib/sharing/use-may-manage.ts';
import { useList, type OnSearch } from '#app/lib/list/use-list.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { ReceiptLog } from '#app/lib/receipts/ReceiptLog.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { AttemptsTable } from './AttemptsTable.tsx';
import { ChartCard } from './ChartCard.tsx';
import { Controls } from './Controls.tsx';
import { Figures } from './Figures.tsx';
import { ItemsTable } from './ItemsTable.tsx';
import { analysisQuery, PAGE_SIZE, statisticsQuery } from './queries.ts';
import { Card, CardHead, Nothing } from './CardHead.tsx';
import classes from './Statistics.module.css';
import { statisticsAddress, type StatisticsSearch } from './statistics-search.ts';

interface StatisticsPageProps {
  testId: string;
  /** State of the page from the URL. */
  search: StatisticsSearch;
  onSearch: OnSearch<StatisticsSearch>;
}

function Analysis({
  testId,
  analysis,
  search,
}: Pick<StatisticsPageProps, 'testId' | 'search'> & { analysis: TestAnalysis }) {
  const { mean, medianSeconds, distribution, time, items } = analysis;
  return (
    <>
      <Figures testId={testId} analysis={analysis} search={search} />
      <div className={classes.columns}>
        <Stack gap={20}>
          <ChartCard
            heading="Распределение баллов"
            aside={mean === null ? '' : `среднее ${formatNumber(mean, 1)}`}
            unit="баллы"
            bins={distribution}
            nothing="Завершённых попыток пока нет."
          />
          <ChartCard
            heading="Время на тест"
            aside={medianSeconds === null ? '' : `медиана ${formatDuration(medianSeconds * 1000)}`}
            unit="минуты"
            bins={time}
            nothing="Никто ещё не завершил тест сам."
          />
        </Stack>
        <Card labelledBy="statistics-items">
          <CardHead heading="Вопросы" id="statistics-items">
            по порядку в тесте
          </CardHead>
          {items.length === 0 ? (
            <Nothing>Завершённых попыток пока нет.</Nothing>
          ) : (
            <ItemsTable items={items} />
          )}
        </Card>
      </div>
    </>
  );
}

/** For a teacher to write down: a log that was rewritten later differs from it. */
function ReceiptLogNote({ log }: { log: TestAnalysis['receiptLog'] }) {
  if (!log || log.length === 0) return null;
  return (
    <InlineNote icon={IconReceipt}>
      <p>
        <ReceiptLog {...log} />
      </p>
      <p>
        Запишите или напечатайте, чтобы позже сверить: у того же числа записей сумма не меняется.
      </p>
    </InlineNote>
  );
}

/** Statistics of a test: attempts and item analysis. */
export function StatisticsPage({ testId, search, onSearch }: StatisticsPageProps) {
  const mayEdit = useMayManage(testId, 'edit');
  const statistics = useQuery(statisticsQuery(testId, search));
  const analysis = usePageQuery(analysisQuery(testId, search));
  const page = statistics.data?.failed
    ? undefined
    : statistics.data && { ...statistics.data, items: statistics.data.users };
  const list = useList({
    query: {
      data: page,
      problem: null,
      retry: () => void statistics.refetch(),
      isPrevious: statistics.isPlaceholderData,
    },
    search,
    onSearch,
    address: statisticsAddress,
    pageSize: PAGE_SIZE,
  });
  if (!statistics.data) return <RowsSkeleton rows={8} />;
  if (statistics.data.failed) {
    return (
      <EmptyState
        heading={statistics.data.title}
        action={
          <QuietButton
            icon={IconRefresh}
            tone="ink"
            onClick={() => {
              void statistics.refetch();
              analysis.retry();
            }}
          >
            {statistics.isFetching ? 'Загружаем' : 'Попробовать снова'}
          </QuietButton>
        }
      >
        Сервер не ответил на запрос статистики. Ответы учеников и баллы хранятся на сервере.
      </EmptyState>
    );
  }
  const { trials } = statistics.data;
  if (statistics.data.total === 0 && trials > 0 && !list.isNarrowed) {
    return (
      <EmptyState
        heading="Ученики ещё не начинали"
        action={
          <Link
            to="/tests/manage/$testId/statistics"
            params={{ testId }}
            search={{ trials: '1' as const }}
          >
            Показать пробные: {trials}
          </Link>
        }
      >
        Есть только пробные попытки преподавателей и администраторов. В статистику они не входят.
      </EmptyState>
    );
  }
  if (statistics.data.total === 0 && !list.isNarrowed) {
    return (
      <EmptyState
        heading="Попыток пока нет"
        action={
          mayEdit && (
            <Link to="/tests/manage/$testId/settings" params={{ testId }}>
              Назначить тест
            </Link>
          )
        }
      >
        Ученики появятся здесь, когда им назначат тест.
      </EmptyState>
    );
  }
  return (
    <Stack gap={20} aria-busy={statistics.isPlaceholderData}>
      <Controls
        testId={testId}
        analysis={analysis.data}
        trials={trials}
        search={search}
        onChange={(part) => list.change(part, { replace: false })}
      />
      {analysis.data ? (
        <Analysis testId={testId} analysis={analysis.data} search={search} />
      ) : analysis.problem === null ? (
        <RowsSkeleton rows={6} />
      ) : (
        <QueryProblem error={analysis.problem} onRetry={analysis.retry} />
      )}
      <AttemptsTable testId={testId} statistics={statistics.data} search={search} list={list} />
      <ReceiptLogNote log={analysis.data?.receiptLog} />
    </Stack>
  );
}
