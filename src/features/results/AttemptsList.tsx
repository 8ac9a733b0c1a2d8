import { Box, Flex, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconStar } from '@tabler/icons-react';
import type { ReplyOf } from '#contract/route.ts';
import type { listResults } from '#contract/results.ts';
import { attemptStateName } from '#domain/labels-answer.ts';
import { formatMoment } from '#domain/format-time.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { AttemptStatePill } from '#app/ui/data/AttemptStatePill.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { StatePill } from '#app/ui/data/StatePill.tsx';
import { TrialPill } from '#app/ui/data/TrialPill.tsx';
import { TestStatusPill } from '#app/ui/data/TestStatusPill.tsx';
import { countedLabel } from './preview-messages.ts';
import { attemptsQuery } from './queries.ts';
import { ResultProblem } from './ResultProblem.tsx';
import { scoreInList } from './messages.ts';

type Attempts = ReplyOf<typeof listResults>;
type Row = Attempts['attempts'][number];

function AttemptState({ state, pendingReview, finishedAt }: Row) {
  if (state === 2 && pendingReview) return <TestStatusPill status="pendingReview" />;
  if (state === 2 && finishedAt === null) return <AttemptStatePill state="timeOver" />;
  return <AttemptStatePill state={attemptStateName(state)} />;
}

/** The person's attempts on a test, each linked to its result. */
export function AttemptsList({ testId }: { testId: string }) {
  const { data, problem, retry } = usePageQuery(attemptsQuery(testId));
  if (!data) {
    return problem === null ? <RowsSkeleton /> : <ResultProblem error={problem} onRetry={retry} />;
  }
  const { attempts, title } = data.data;
  return (
    <Stack component="section" className="card-from-desktop" maw={{ md: '42rem' }} p={{ md: 'lg' }}>
      <h2>{title}</h2>
      <SavedAt savedAt={data.savedAt} />
      {attempts.length === 0 ? (
        <EmptyState
          heading="Попыток пока нет"
          action={
            <Link to="/tests/$testId/overview" params={{ testId }}>
              К описанию теста
            </Link>
          }
        >
          Они появятся здесь, когда тест будет пройден
        </EmptyState>
      ) : (
        <>
          {attempts.filter(({ trial }) => !trial).length > 1 && <Mark attempts={data.data} />}
          <ol>
            {attempts.map((attempt) => (
              <Attempt
                key={attempt.attemptId}
                attempt={attempt}
                testId={testId}
                isOneOfMany={attempts.length > 1 && data.data.countedAttempt !== 'average'}
              />
            ))}
          </ol>
        </>
      )}
    </Stack>
  );
}

/** The mark resulting from several attempts, and the rule. */
function Mark({ attempts }: { attempts: Attempts }) {
  const { mark, countedAttempt } = attempts;
  const max = attempts.attempts.at(-1)?.maxScore ?? 0;
  return (
    <Text textWrap="pretty">
      {mark !== null && (
        <>
          <strong>Итог: {scoreInList(mark, max)}.</strong>{' '}
        </>
      )}
      {countedLabel(countedAttempt)}
    </Text>
  );
}

function Attempt({
  attempt,
  testId,
  isOneOfMany,
}: {
  attempt: Row;
  testId: string;
  isOneOfMany: boolean;
}) {
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const { attemptId, attemptNumber, score, maxScore, startedAt, counts } = attempt;
  return (
    <Flex
      component="li"
      className="line-below"
      pos="relative"
      wrap="wrap"
      align="center"
      justify="space-between"
      gap="0.25rem 1rem"
      py={14}
    >
      <Box
        className="covering"
        flex={{ base: '1 0 100%', sm: '0 1 auto' }}
        c="var(--app-text)"
        renderRoot={(props) => (
          <Link to="/tests/$testId/results/$attemptId" params={{ testId, attemptId }} {...props} />
        )}
      >
        Попытка {attemptNumber}, {formatMoment(new Date(startedAt), serverNow(), timeZone)}
      </Box>
      <Flex component="span" gap="xs" wrap="wrap">
        <AttemptState {...attempt} />
        {attempt.trial && <TrialPill />}
        {counts && isOneOfMany && (
          <StatePill icon={IconStar} tone="ink">
            В зачёт
          </StatePill>
        )}
      </Flex>
      <Text span inherit c="dimmed" ms="auto" className="tabular">
        {score === null ? 'баллов пока нет' : scoreInList(score, maxScore)}
      </Text>
    </Flex>
  );
}
