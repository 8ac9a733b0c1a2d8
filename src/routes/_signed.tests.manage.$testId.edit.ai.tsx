import { createFileRoute } from '@tanstack/react-router';
import { useDraft } from '#app/drafts/use-draft.ts';
import { AiScreen } from '#app/features/ai/AiScreen.tsx';
import { EditFrame } from './-shell/EditFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/edit/ai')({
  component: Screen,
});

function Screen() {
  const { testId } = Route.useParams();
  const opened = useDraft(testId);
  return (
    <EditFrame testId={testId} {...opened}>
      {(draft) => <AiScreen draft={draft} />}
    </EditFrame>
  );
}
