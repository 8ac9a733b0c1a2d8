import type { ReactNode } from 'react';
import type { Draft } from '#app/authoring/draft/draft.ts';
import { DraftLine } from '#app/authoring/draft/DraftLine.tsx';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import { ManageFrame } from './ManageFrame.tsx';

/** «Содержание теста» in each of its three modes: where the working copy is, and the editor of it. */
export function EditFrame({
  testId,
  draft,
  problem,
  retry,
  children,
}: {
  testId: string;
  draft: Draft | null;
  problem: unknown;
  retry: () => void;
  children: (draft: Draft) => ReactNode;
}) {
  return (
    <ManageFrame
      testId={testId}
      title="Содержание теста"
      titleAside={draft && <DraftLine draft={draft} />}
    >
      {draft ? (
        children(draft)
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </ManageFrame>
  );
}
