import { createFileRoute } from '@tanstack/react-router';
import { DraftLine } from '#app/drafts/DraftLine.tsx';
import { LeaveDraftGuard } from '#app/drafts/LeaveDraftGuard.tsx';
import { useDraft } from '#app/drafts/use-draft.ts';
import { previewSearch } from '#app/features/test-preview/preview-search.ts';
import { PreviewPage } from '#app/features/test-preview/PreviewPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';
import { useSearchState } from './-shell/use-search-state.ts';

export const Route = createFileRoute('/_signed/tests/manage/$testId/preview')({
  validateSearch: previewSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const state = useSearchState(previewSearch, Route.useSearch(), Route.useNavigate(), {
    keepsScroll: true,
  });
  const { draft, problem, retry } = useDraft(testId);
  return (
    <ManageFrame
      testId={testId}
      title="Предпросмотр"
      draft={draft}
      titleAside={draft && <DraftLine draft={draft} />}
    >
      {draft && <LeaveDraftGuard draft={draft} />}
      <PreviewPage testId={testId} draft={draft} problem={problem} retry={retry} {...state} />
    </ManageFrame>
  );
}
