import { Link } from '@tanstack/react-router';
import { IconLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { AttemptPreview as Preview } from '#contract/results.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { SavedAt } from '#app/offline/SavedAt.tsx';
import { usePictures } from '#app/offline/use-pictures.ts';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import classes from './AttemptPreview.module.css';
import { PreviewItem } from './PreviewItem.tsx';
import { hiddenWords } from './preview-words.ts';
import { previewQuery } from './queries.ts';
import { ResultAbsent, ResultProblem } from './ResultProblem.tsx';
import shared from './ResultView.module.css';
import { scoreInList } from './result-words.ts';
import { useRenewOnArrival } from './use-renew-on-arrival.ts';

export interface AttemptPreviewProps {
  testId: string;
  attemptId: string;
  viewerId: string;
}

/** Answers of an attempt, as far as this reader may see them. */
export function AttemptPreview({ testId, attemptId, viewerId }: AttemptPreviewProps) {
  const { data, problem, retry } = usePageQuery(previewQuery(attemptId));
  useRenewOnArrival(attemptId);
  if (data) {
    const { data: preview, savedAt } = data;
    if (preview.testId !== testId) return <ResultAbsent />;
    return <Loaded preview={preview} savedAt={savedAt} isTeacher={preview.userId !== viewerId} />;
  }
  return problem === null ? <RowsSkeleton /> : <ResultProblem error={problem} onRetry={retry} />;
}

function Loaded({
  preview,
  savedAt,
  isTeacher,
}: {
  preview: Preview;
  savedAt: string | null;
  isTeacher: boolean;
}) {
  const { serverNow, timeZone } = useDevice();
  const { items, shows, score } = preview;
  const questions = useMemo(() => items.map(({ question }) => question), [items]);
  const resolveImage = usePictures(questions);
  const hidden = hiddenWords(preview, isTeacher, { now: serverNow(), timeZone });
  return (
    <div className={classes.page}>
      <header>
        <h2>{preview.title}</h2>
        <p className={classes.dimmed}>
          {isTeacher && `${preview.userName} · `}попытка {preview.attemptNumber}
          {score !== null && ` · ${scoreInList(score, preview.maxScore)}`}
        </p>
      </header>
      <SavedAt savedAt={savedAt} />
      <Link
        className={shared.wide}
        to="/tests/$testId/results/$attemptId"
        params={{ testId: preview.testId, attemptId: preview.attemptId }}
      >
        К результату
      </Link>
      {hidden.length > 0 && (
        <InlineNote tone="line" icon={IconLock}>
          {hidden.map((words) => (
            <p key={words} className={classes.hidden}>
              {words}
            </p>
          ))}
        </InlineNote>
      )}
      {items.map((item) => (
        <PreviewItem
          key={item.question.questionId}
          item={item}
          shows={shows}
          whose={isTeacher ? 'pupil' : 'own'}
          resolveImage={resolveImage}
        />
      ))}
    </div>
  );
}
