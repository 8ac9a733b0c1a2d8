import { Box, Flex, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { listMissing } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Pager } from '#app/ui/data/Pager.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import type { GradingSearch } from './grading-search.ts';
import { describeMissing } from './missing-messages.ts';
import { MISSING_PAGE, missingQuery } from './queries.ts';

type Row = ReplyOf<typeof listMissing>['items'][number];

function MissingRow({ row, testId }: { row: Row; testId: string }) {
  const { serverNow, timeZone } = useDevice();
  return (
    <Box component="li" className="line-below break-anywhere" py="sm">
      <Title order={2} fz="md">
        {row.userName}
      </Title>
      {row.trial && <TrialPill />}
      {describeMissing(row, { now: serverNow(), timeZone }).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {row.attemptId !== null && (
        <Text size="sm">
          <Link
            className="tap"
            to="/tests/manage/$testId/grading"
            params={{ testId }}
            search={{ attemptId: row.attemptId }}
          >
            Что дошло
          </Link>
        </Text>
      )}
    </Box>
  );
}

/** Attempts that the server closed or recreated, and devices whose answers never arrived, with the known details. */
export function MissingView({ testId, search }: { testId: string; search: GradingSearch }) {
  const [page, setPage] = useState(1);
  const { data, problem, retry } = usePageQuery(missingQuery(testId, search, page));
  if (!data)
    return problem === null ? <RowsSkeleton /> : <QueryProblem error={problem} onRetry={retry} />;
  if (data.total === 0) {
    return (
      <EmptyState heading="Всё дошло">
        Попыток, закрытых или собранных заново сервером, и устройств с неотправленными ответами нет
      </EmptyState>
    );
  }
  return (
    <Flex
      component="section"
      direction="column"
      gap="md"
      maw="48rem"
      aria-label="Не дошло до сервера"
    >
      <Text size="sm" c="dimmed">
        Ответы, которые дойдут после срока, не пропадут: они появятся здесь под «Поздние».
      </Text>
      <ul>
        {data.items.map((row) => (
          <MissingRow
            key={row.attemptId ?? `${row.userId}/${row.missingAt}`}
            row={row}
            testId={testId}
          />
        ))}
      </ul>
      <Pager page={page} pageSize={MISSING_PAGE} total={data.total} onPage={setPage} />
    </Flex>
  );
}
