import { Flex } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { DraftLine } from '#app/drafts/DraftLine.tsx';
import { LeaveDraftGuard } from '#app/drafts/LeaveDraftGuard.tsx';
import { DraftNotes } from '#app/features/editor/DraftNotes.tsx';
import { UndoButtons } from '#app/features/editor/UndoButtons.tsx';
import { refreshTests, settingsQuery } from '#app/lib/teacher-queries.ts';
import { QueryProblem } from '#app/lib/QueryProblem.tsx';
import { usePageQuery } from '#app/lib/use-page-query.ts';
import { RowsSkeleton } from '#app/ui/data/RowsSkeleton.tsx';
import classes from './ManageFrame.module.css';
import { ManageFrame } from './ManageFrame.tsx';

/** «Содержание теста» in its three modes: delivery state of the working copy, and the editor. */
export function EditFrame({
  testId,
  draft,
  problem,
  retry,
  children,
}: {
  testId: string;
  draft: DraftEditor | null;
  problem: unknown;
  retry: () => void;
  children: (draft: DraftEditor) => ReactNode;
}) {
  const client = useQueryClient();
  const { data: test } = usePageQuery(settingsQuery(testId));
  return (
    <ManageFrame
      testId={testId}
      title="Содержание теста"
      draft={draft}
      titleAside={
        draft && (
          <Flex
            className={classes.line}
            align="center"
            justify={{ base: 'space-between', md: 'flex-start' }}
            gap="0.25rem 0.75rem"
          >
            <DraftLine draft={draft} />
            <UndoButtons draft={draft} />
          </Flex>
        )
      }
    >
      {draft ? (
        <>
          <LeaveDraftGuard draft={draft} />
          <DraftNotes
            draft={draft}
            runningAttempts={test?.runningAttempts ?? 0}
            onPublished={() => refreshTests(client)}
          />
          {children(draft)}
        </>
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </ManageFrame>
  );
}
