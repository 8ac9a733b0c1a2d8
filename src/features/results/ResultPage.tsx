import { Link } from '@tanstack/react-router';
import { ReceiptButton } from '#app/lib/receipts/ReceiptButton.tsx';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { resultQuery } from './queries.ts';
import { ResultAbsent, ResultProblem } from './ResultProblem.tsx';
import { ResultView } from './ResultView.tsx';
import { useRenewOnArrival } from './use-renew-on-arrival.ts';
import { Box, Flex, Stack, Text } from '@mantine/core';
import type { AttemptResult } from '#contract/results.ts';
import { itemPoints } from './messages.ts';
import { VerdictPill } from './VerdictPill.tsx';

/** One row per question: number, verdict, points, and the teacher's comment. */
function ItemVerdicts({ items }: Pick<AttemptResult, 'items'>) {
  if (items.length === 0) return null;
  return (
    <section>
      <h3>Вопросы</h3>
      <Box component="ol" className="line-above" mt="xs">
        {items.map(({ questionId, number, verdict, points, maxPoints, credit, comment }) => (
          <Flex
            key={questionId}
            component="li"
            className="line-below"
            wrap="wrap"
            align="center"
            gap="0.25rem 0.75rem"
            py="sm"
          >
            <Text span inherit fw={600} miw={32} className="tabular">
              {number}
            </Text>
            <Box component="span" flex={1}>
              <VerdictPill verdict={verdict} />
            </Box>
            <Text span inherit c="dimmed" className="tabular">
              {itemPoints(points, maxPoints, credit)}
            </Text>
            {comment !== null && comment !== '' && (
              <Text flex="1 0 100%" ps={44} fz="sm" c="dimmed">
                {comment}
              </Text>
            )}
          </Flex>
        ))}
      </Box>
    </section>
  );
}

const ReceiptComparison = lazyPart(
  () => import('#app/lib/receipts/ReceiptComparison.tsx'),
  (module) => module.ReceiptComparison,
);

export interface ResultPageProps {
  testId: string;
  attemptId: string;
  viewerId: string;
}

/** The page of one attempt's result. */
export function ResultPage({ testId, attemptId, viewerId }: ResultPageProps) {
  const { data, problem, retry } = usePageQuery(resultQuery(attemptId));
  useRenewOnArrival(attemptId);
  if (!data) {
    return problem === null ? (
      <RowsSkeleton rows={3} />
    ) : (
      <ResultProblem error={problem} onRetry={retry} />
    );
  }
  const { data: result, savedAt } = data;
  if (result.testId !== testId) return <ResultAbsent />;
  return (
    <Stack component="article" className="card-from-desktop" maw={{ md: '42rem' }} p={{ md: 'lg' }}>
      <h2>{result.title}</h2>
      <SavedAt savedAt={savedAt} />
      <ResultView result={result} viewerId={viewerId} />
      <Link
        className="tap self-start"
        to="/tests/$testId/results/$attemptId/preview"
        params={{ testId, attemptId }}
      >
        Вопросы и ответы
      </Link>
      {result.end !== null && <ReceiptButton attemptId={attemptId} />}
      {result.end !== null && result.userId !== viewerId && (
        <ReceiptComparison attemptId={attemptId} />
      )}
      <ItemVerdicts items={result.items} />
      {result.userId === viewerId && (
        <Link
          className="from-desktop tap self-start"
          style={{ minHeight: '2.5rem' }}
          to="/tests/$testId/results"
          params={{ testId }}
        >
          Ко всем попыткам
        </Link>
      )}
    </Stack>
  );
}
