import { Box, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { listMissing } from '#contract/grading.ts';
import type { ReplyOf } from '#contract/route.ts';
import { createListAddress } from '#domain/address.ts';
import { useDevice } from '#app/lib/device-services.ts';
import { ListRows } from '#app/lib/list/ListPage.tsx';
import { useList } from '#app/lib/list/use-list.ts';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
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

/** Has neither search nor filters. */
const PAGING = createListAddress({});

/**
 * Attempts that the server closed or recreated, and devices with answers that never arrived, with the known details.
 */
export function MissingView({ testId, search }: { testId: string; search: GradingSearch }) {
  const [paging, setPaging] = useState<{ page?: number }>({});
  const list = useList({
    query: usePageQuery(missingQuery(testId, search, paging.page ?? 1)),
    search: paging,
    onSearch: (next) => setPaging(next),
    address: PAGING,
    pageSize: MISSING_PAGE,
  });
  return (
    <Box
      component="section"
      maw={list.total === 0 ? undefined : '48rem'}
      aria-label="Не дошло до сервера"
    >
      <ListRows
        list={list}
        none={
          <EmptyState heading="Всё дошло">
            Попыток, закрытых или собранных заново сервером, и устройств с неотправленными ответами
            нет
          </EmptyState>
        }
      >
        {({ items }) => (
          <Stack>
            <Text size="sm" c="dimmed">
              Ответы, которые дойдут после срока, не пропадут: они появятся здесь под «Поздние».
            </Text>
            <ul>
              {items.map((row) => (
                <MissingRow
                  key={row.attemptId ?? `${row.userId}/${row.missingAt}`}
                  row={row}
                  testId={testId}
                />
              ))}
            </ul>
          </Stack>
        )}
      </ListRows>
    </Box>
  );
}
