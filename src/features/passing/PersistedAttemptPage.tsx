import { Box, Button, Stack, Text } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getPassing } from '#contract/tests.ts';
import { formatAtMoment, formatShortMoment } from '#domain/format-time.ts';
import { call } from '#app/api/call.ts';
import { ApiFailure } from '#app/api/failure.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { StorageNote } from '#app/offline/StorageNote.tsx';
import { useNow } from '#app/lib/use-now.ts';
import { AnswerStateLine } from '#app/ui/taking/AnswerStateLine.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { BottomBar } from '#app/ui/taking/TakingBar.tsx';
import { TakingHeader } from '#app/ui/taking/TakingHeader.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { summaryOf } from '#app/questions/answer-inputs.ts';
import { findPersistedAttempt, type PersistedAttempt } from './persisted-attempt.ts';
import { COLUMN, PAGE } from './page-look.ts';

const TICK_MS = 250;
const POLL_INTERVAL_MS = 5_000;

/** Polls the server; once it responds, its state replaces the persisted copy. */
function useServerAnswer(attemptId: string) {
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: ['passing', 'server', attemptId],
    queryFn: ({ signal }) => call(getPassing, { params: { attemptId } }, { signal }),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    refetchInterval: POLL_INTERVAL_MS,
  });
  const status = error instanceof ApiFailure ? (error.status ?? 0) : 0;
  const isVerdict = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return {
    hasAnswered: data !== undefined || isVerdict,
    isPolling: isPending,
    isFetching,
    ask: () => void refetch(),
  };
}

export interface PersistedAttemptPageProps {
  testId: string;
  /** The server responds again, or no attempt is persisted. */
  onAbsent: () => void;
  onLeave: () => void;
}

/** Shown offline when IndexedDB has lost the attempt or does not respond. */
export function PersistedAttemptPage({ testId, onAbsent, ...rest }: PersistedAttemptPageProps) {
  const client = useQueryClient();
  const { serverNow } = useDevice();
  const [attempt] = useState(() => findPersistedAttempt(client, testId, serverNow()));
  useEffect(() => {
    if (attempt === null) onAbsent();
  }, [attempt, onAbsent]);
  return attempt && <Shown attempt={attempt} onAbsent={onAbsent} {...rest} />;
}

function Shown({
  attempt: { passing, answers },
  onAbsent,
  onLeave,
}: Omit<PersistedAttemptPageProps, 'testId'> & { attempt: PersistedAttempt }) {
  const { outbox, storage } = useDevice();
  const timeZone = useShownZone();
  const now = useNow(TICK_MS);
  usePageTitle(passing.title);
  const { hasAnswered, isPolling, isFetching, ask } = useServerAnswer(passing.userTestId);
  useEffect(() => {
    if (hasAnswered) onAbsent();
  }, [hasAnswered, onAbsent]);
  if (hasAnswered || isPolling) return <PageSpinner />;
  const at = (moment: string) => formatShortMoment(new Date(moment), now, timeZone);
  return (
    <Box {...PAGE}>
      <TakingHeader
        remainingMs={Math.max(0, Date.parse(passing.deadline) - now)}
        title={passing.title}
        detail={`попытка ${passing.attemptNumber} из ${passing.attemptsCount}`}
        questions={[]}
        current={0}
        sync={null}
      />
      <Stack component="main" p="md" {...COLUMN}>
        <Text component="h1" size="xl" fw={600}>
          {passing.title}
        </Text>
        <InlineNote tone="ink" icon={IconCloudOff} role="status">
          <strong>
            Показано сохранённое {formatAtMoment(new Date(passing.serverTime), now, timeZone)}.
          </strong>{' '}
          Нет связи с сервером
          {storage.durable && ', а в памяти браузера этого теста нет'}. Ответы, которых ещё не было
          на сервере, здесь не видны.
          {outbox.serverNow() === null && ' Время посчитано по часам этого устройства.'} Отвечать
          дальше можно, когда появится сеть.
        </InlineNote>
        <StorageNote isDurable={storage.durable} />
        <section aria-labelledby="saved-answers">
          <h2 id="saved-answers">Ответы на сервере: {answers.length}</h2>
          <ul>
            {answers.map((answer) => (
              <Box key={answer.questionId} component="li" pt="sm" className="line-below">
                <Box component="p" mah="12rem" className="pre-wrap scroll-y">
                  {summaryOf(answer)}
                </Box>
                <AnswerStateLine state="server" at={at(answer.receivedAt)} />
              </Box>
            ))}
          </ul>
        </section>
      </Stack>
      <Box {...COLUMN}>
        <BottomBar>
          <Button variant="default" flex="1 1 0" onClick={onLeave}>
            К тестам
          </Button>
          <Button flex="1 1 0" loading={isFetching} onClick={ask}>
            Проверить сеть
          </Button>
        </BottomBar>
      </Box>
    </Box>
  );
}
