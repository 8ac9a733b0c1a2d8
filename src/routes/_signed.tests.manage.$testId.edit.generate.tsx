import { createFileRoute } from '@tanstack/react-router';
import { useDraft } from '#app/drafts/use-draft.ts';
import { GenerateScreen } from '#app/features/generation/GenerateScreen.tsx';
import { EditFrame } from './-shell/EditFrame.tsx';
import { useViewerId } from './-shell/use-viewer-id.ts';

export const Route = createFileRoute('/_signed/tests/manage/$testId/edit/generate')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const opened = useDraft(testId);
  const viewerId = useViewerId();
  return (
    <EditFrame testId={testId} {...opened}>
      {(draft) =>
        viewerId !== undefined && (
          <GenerateScreen key={viewerId} draft={draft} viewerId={viewerId} />
        )
      }
    </EditFrame>
  );
}
