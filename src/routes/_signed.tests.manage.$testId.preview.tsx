import { createFileRoute } from '@tanstack/react-router';
import { DraftLine } from '#app/authoring/draft/DraftLine.tsx';
import { LeaveDraftGuard } from '#app/authoring/draft/LeaveDraftGuard.tsx';
import { useDraft } from '#app/authoring/draft/use-draft.ts';
import { previewSearch, type PreviewSearch } from '#app/features/test-preview/preview-search.ts';
import { PreviewPage } from '#app/features/test-preview/PreviewPage.tsx';
import { ManageFrame } from './-shell/ManageFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/preview')({
  validateSearch: previewSearch,
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  // The router would restore invalid parameters that the schema drops.
  const search = previewSearch({ ...Route.useSearch() });
  const navigate = Route.useNavigate();
  const { draft, problem, retry } = useDraft(testId);
  return (
    <ManageFrame
      testId={testId}
      title="Предпросмотр"
      draft={draft}
      titleAside={draft && <DraftLine draft={draft} />}
    >
      {draft && <LeaveDraftGuard draft={draft} />}
      <PreviewPage
        testId={testId}
        draft={draft}
        problem={problem}
        retry={retry}
        search={search}
        onSearch={(next: PreviewSearch) => void navigate({ search: next, resetScroll: false })}
      />
    </ManageFrame>
  );
}
