import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useDevice } from '#app/offline/device-context.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { ItemVerdicts } from './ItemVerdicts.tsx';
import { resultQuery } from './queries.ts';
import { ResultView } from './ResultView.tsx';

export interface ResultPanelProps {
  attemptId: string;
  viewerId: string;
  /** Verdicts by question too, as the page of its own shows them. */
  withItems?: boolean;
}

/** The result of an attempt, asked from the server; also under «Можно закрывать». */
export function ResultPanel({ attemptId, viewerId, withItems = false }: ResultPanelProps) {
  const { data, problem, retry } = usePageQuery(resultQuery(attemptId));
  useRenewOnArrival(attemptId);
  if (data) {
    return (
      <>
        <SavedAt savedAt={data.savedAt} />
        <ResultView result={data.data} viewerId={viewerId} />
        {withItems && <ItemVerdicts items={data.data.items} />}
      </>
    );
  }
  if (problem !== null) return <QueryProblem error={problem} onRetry={retry} />;
  return <RowsSkeleton rows={3} />;
}

/** Asks again when this device's own finish has arrived: the score is there then. */
function useRenewOnArrival(attemptId: string): void {
  const { outbox } = useDevice();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      outbox.subscribe((event) => {
        if (event.kind === 'finished' && event.attemptId === attemptId) {
          void queryClient.invalidateQueries({ queryKey: resultQuery(attemptId).queryKey });
        }
      }),
    [outbox, queryClient, attemptId],
  );
}
