import { createFileRoute } from '@tanstack/react-router';
import { useDraft } from '#app/drafts/use-draft.ts';
import { ImproveMenu } from '#app/features/ai/ImproveMenu.tsx';
import { BankPicker } from '#app/features/bank/BankPicker.tsx';
import { CustomEditor } from '#app/features/editor/CustomEditor.tsx';
import { ExportModal } from '#app/features/exchange/ExportModal.tsx';
import { ImportModal } from '#app/features/exchange/ImportModal.tsx';
import { PaperModal } from '#app/features/exchange/PaperModal.tsx';
import { EditFrame } from './-shell/EditFrame.tsx';

export const Route = createFileRoute('/_signed/tests/manage/$testId/edit/custom')({
  component: Screen,
});

const tools = { BankPicker, ImportModal, ExportModal, PaperModal, ImproveMenu };

function Screen() {
  const { testId } = Route.useParams();
  const opened = useDraft(testId);
  return (
    <EditFrame testId={testId} {...opened}>
      {(draft) => <CustomEditor draft={draft} tools={tools} />}
    </EditFrame>
  );
}
