import type { AttemptView } from '#app/outbox/types.ts';
import { TakingShortcuts } from '#app/ui/taking/lazy-shortcuts.ts';
import { AnswersModal } from './AnswersModal.tsx';
import { FinishModal } from './FinishModal.tsx';
import { LeaveModal } from './LeaveModal.tsx';
import { QuestionsModal } from './QuestionsModal.tsx';
import type { Finish } from './use-finish.ts';
import type { FilePick } from '#app/questions/file/file-picks.ts';

export type TakingDialog = 'questions' | 'answers' | 'finish' | 'leave' | 'keys';

export interface TakingDialogsProps {
  view: AttemptView;
  picks: readonly FilePick[];
  opened: TakingDialog | null;
  current: number;
  /** Opens another dialog instead; null: closes this one. */
  onOpen: (dialog: TakingDialog | null) => void;
  onSelect: (index: number) => void;
  finish: Finish;
  onExport: () => Promise<void>;
  onLeave: () => void;
}

/** The dialogs of a running and of a finished attempt. */
export function TakingDialogs(props: TakingDialogsProps) {
  const { view, picks, opened, finish, onOpen, onSelect } = props;
  const onClose = () => onOpen(null);
  return (
    <>
      <QuestionsModal
        view={view}
        current={props.current}
        locked={view.readOnly !== null}
        onSelect={onSelect}
        onFinish={() => onOpen('finish')}
        onOpenKeys={() => onOpen('keys')}
        opened={opened === 'questions'}
        onClose={onClose}
      />
      <FinishModal
        view={view}
        picks={picks}
        opened={opened === 'finish'}
        onClose={onClose}
        onSelect={onSelect}
        onFinish={finish.finishByStudent}
        isFinishing={finish.isFinishing}
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
