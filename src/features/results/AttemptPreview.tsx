import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconLock } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { AttemptPreview as Preview } from '#contract/results.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { SavedAt } from '#app/lib/SavedAt.tsx';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import { PreviewItem } from './PreviewItem.tsx';
import { hiddenMessages } from './preview-messages.ts';
import { previewQuery } from './queries.ts';
import { ResultAbsent, ResultProblem } from './ResultProblem.tsx';
import { scoreInList } from './messages.ts';
import { useRenewOnArrival } from './use-renew-on-arrival.ts';

export interface AttemptPreviewProps {
  testId: string;
  attemptId: string;
  viewerId: string;
}

/** Answers of an attempt, as far as the viewer may see them. */
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
  const { serverNow } = useDevice();
  const timeZone = useShownZone();
  const { items, shows, score } = preview;
  const questions = useMemo(() => items.map(({ question }) => question), [items]);
  const hidden = hiddenMessages(preview, isTeacher, { now: serverNow(), timeZone });
  return (
    <Stack maw="48rem">
      <header>
        <h2>{preview.title}</h2>
        <Text inherit c="dimmed">
          {isTeacher && `${preview.userName} · `}попытка {preview.attemptNumber}
          {score !== null && ` · ${scoreInList(score, preview.maxScore)}`}
        </Text>
      </header>
      <SavedAt savedAt={savedAt} />
      <Link
        className="from-desktop tap self-start"
        style={{ minHeight: '2.5rem' }}
        to="/tests/$testId/results/$attemptId"
        params={{ testId: preview.testId, attemptId: preview.attemptId }}
      >
        К результату
      </Link>
      {hidden.length > 0 && (
        <InlineNote tone="line" icon={IconLock}>
          {hidden.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </InlineNote>
      )}
      <QuestionPictures of={questions}>
        <ContentLanguage value={preview.language}>
          {items.map((item) => (
            <PreviewItem
              key={item.question.questionId}
              item={item}
              shows={shows}
              owner={isTeacher ? 'student' : 'own'}
            />
          ))}
        </ContentLanguage>
      </QuestionPictures>
    </Stack>
  );
}
