import type { AttemptView } from '#app/outbox/types.ts';
import { TakingShortcuts } from '#app/ui/taking/lazy-shortcuts.ts';
import { AnswersModal } from './AnswersModal.tsx';
import { FinishModal } from './FinishModal.tsx';
import { LeaveModal } from './LeaveModal.tsx';
import { QuestionsModal } from './QuestionsModal.tsx';
import type { FilePick } from '#app/questions/file/file-picks.ts';

export type TakingDialog = 'questions' | 'answers' | 'finish' | 'leave' | 'keys';

export interface TakingDialogsProps {
  view: AttemptView;
  picks: readonly FilePick[];
  opened: TakingDialog | null;
  current: number;
  locked: boolean;
  isFinishing: boolean;
  onOpenFinish: () => void;
  onOpenKeys: () => void;
  onClose: () => void;
  onSelect: (index: number) => void;
  onFinish: () => void;
  onExport: () => Promise<void>;
  onLeave: () => void;
}

/** The dialogs of a running and of a finished attempt. */
export function TakingDialogs(props: TakingDialogsProps) {
  const { view, picks, opened, onClose, onSelect } = props;
  return (
    <>
      <QuestionsModal
        view={view}
        current={props.current}
        locked={props.locked}
        onSelect={onSelect}
        onFinish={props.onOpenFinish}
        onOpenKeys={props.onOpenKeys}
        opened={opened === 'questions'}
        onClose={onClose}
      />
      <FinishModal
        view={view}
        picks={picks}
        opened={opened === 'finish'}
        onClose={onClose}
        onSelect={onSelect}
        onFinish={props.onFinish}
        isFinishing={props.isFinishing}
      />
      <LeaveModal
        view={view}
        picks={picks}
        opened={opened === 'leave'}
        onStay={onClose}
        onLeave={props.onLeave}
      />
      <AnswersModal
        view={view}
        onExport={props.onExport}
        opened={opened === 'answers'}
        onClose={onClose}
      />
      {opened === 'keys' && <TakingShortcuts onClose={onClose} />}
    </>
  );
}
