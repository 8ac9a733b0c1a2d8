import { usePageQuery } from '#app/offline/use-page-query.ts';
import { resultQuery } from './queries.ts';
import { ResultPanel } from './ResultPanel.tsx';
import classes from './ResultView.module.css';

/** One attempt's result as a page of its own. */
export function ResultPage({ attemptId, viewerId }: { attemptId: string; viewerId: string }) {
  const { data } = usePageQuery(resultQuery(attemptId));
  return (
    <article className={classes.page}>
      {data && <h2>{data.data.title}</h2>}
      <ResultPanel attemptId={attemptId} viewerId={viewerId} withItems />
    </article>
  );
}
