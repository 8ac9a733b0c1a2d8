import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useDevice } from '#app/lib/device-services.ts';
import { preloadSaveAnswers, saveAnswers } from '#app/lib/save-answers.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { preloadFields } from '#app/questions/answer-inputs.ts';
import { isPending } from '#app/questions/file/file-picks.ts';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { QuestionScreen } from './QuestionScreen.tsx';
import type { TakingDialog } from './TakingDialogs.tsx';
import type { LocalMemory } from './announced-warnings.ts';
import { useAnswering, type Answering } from './use-answering.ts';
import { useOneWriter, useServerState } from './use-attempt.ts';
import { useCurrentQuestion } from './use-current-question.ts';
import { useFinish } from './use-finish.ts';
import { useLeaving } from './use-leaving.ts';
import { usePaintedPage } from './use-painted-page.ts';
import { useScreenOn } from '#app/lib/use-screen-on.ts';
import { useTimeNotice } from './use-time-notice.ts';

// Not needed for the first answer, so it is not urgent.
const TakingDialogs = lazyPart(
  () => import('./TakingDialogs.tsx'),
  (module) => module.TakingDialogs,
  false,
);
const AfterFinish = lazyPart(
  () => import('./AfterFinish.tsx'),
  (module) => module.AfterFinish,
);

export interface TakingProps {
  view: AttemptView;
  signedIn: boolean;
  local: LocalMemory;
  renderSignIn: (modal: { opened: boolean; onClose: () => void }) => ReactNode;
  renderResult: (attemptId: string) => ReactNode;
  onLeave: () => void;
}

/** Whether the screen after the finish is shown instead of the questions. */
function useAfterFinish(view: AttemptView) {
  const isRunning = view.state === 'running';
  // A reload after the finish opens it.
  const [isAfter, setAfter] = useState(!isRunning);
  // A finish in any tab opens it; an extended deadline returns to the questions.
  const [wasRunning, setWasRunning] = useState(isRunning);
  if (wasRunning !== isRunning) {
    setWasRunning(isRunning);
    setAfter(!isRunning && view.now < view.deadline);
  }
  return [isAfter, setAfter] as const;
}

/** «Back» leaves an open attempt only after a confirmation. Returns the function that leaves it then. */
function useConfirmedLeaving(
  view: AttemptView,
  { commit, picks, problem }: Answering,
  openDialog: (dialog: 'leave') => void,
): () => void {
  const locked = view.readOnly !== null;
  return useLeaving({
    shouldConfirm: !locked,
    atRisk: view.counts.unsaved > 0 || picks.some(isPending) || (!locked && problem !== null),
    onConfirm: useCallback(() => {
      void commit();
      openDialog('leave');
    }, [commit, openDialog]),
  });
}

/** An attempt: its questions, after the finish the state of its answers, and the dialogs of both screens. */
export function Taking({
  view,
  signedIn,
  local,
  renderSignIn,
  renderResult,
  onLeave,
}: TakingProps) {
  const { outbox } = useDevice();
  const userName = useSession()?.user.userName;
  const answering = useAnswering(view);
  const { commit, picks } = answering;
  const [openDialog, setOpenDialog] = useDialogState<TakingDialog | 'signIn'>('taking', [
    'questions',
  ]);
  const [isAfter, setAfter] = useAfterFinish(view);
  const current = useCurrentQuestion(view, commit);
  const { questions } = view;
  const locked = view.readOnly !== null;
  const isOpen = view.state === 'running' && !locked;
  usePageTitle(isAfter ? view.title : `${view.title}: вопрос ${current.index + 1}`);
  useEffect(() => preloadFields(questions), [questions]);
  useEffect(() => {
    AfterFinish.preload();
    preloadSaveAnswers();
  }, []);
  useScreenOn(isOpen);
  useOneWriter(view);
  useServerState(view, signedIn);
  const notice = useTimeNotice(view, local);
  usePaintedPage(view, current.index, isOpen && !isAfter);

  const finish = useFinish(view.attemptId, answering, setOpenDialog);
  // The note above the question explains why the inputs are closed; a finish would be refused.
  if (locked && openDialog === 'finish') setOpenDialog(null);
  const leave = useConfirmedLeaving(view, answering, setOpenDialog);
  // Typed text that is not stored yet belongs in the file, too.
  const exportAnswers = () =>
    commit()
      .catch(() => undefined)
      .then(() => saveAnswers(outbox, view.owner, [userName, view.title]));

  const dialogs = (
    <>
      <TakingDialogs
        view={view}
        picks={picks}
        opened={openDialog === 'signIn' ? null : openDialog}
        current={current.index}
        onOpen={setOpenDialog}
        onSelect={current.go}
        finish={finish}
        onExport={exportAnswers}
        onLeave={leave}
      />
      {renderSignIn({ opened: openDialog === 'signIn', onClose: () => setOpenDialog(null) })}
    </>
  );
  if (isAfter) {
    return (
      <>
        <AfterFinish
          waiting={<PageSpinner />}
          view={view}
          picks={picks}
          signedIn={signedIn}
          renderResult={renderResult}
          onOpen={setOpenDialog}
          onExport={exportAnswers}
          onLeave={onLeave}
        />
        {dialogs}
      </>
    );
  }
  const question = questions[current.index];
  const stored = view.answers[current.index];
  if (!question || !stored) return null;
  return (
    <QuestionScreen
      view={view}
      question={question}
      stored={stored}
      answering={answering}
      current={current}
      notice={notice}
      onOpen={setOpenDialog}
      onTimeOver={finish.finishAtDeadline}
      onExport={exportAnswers}
      onAfter={() => setAfter(true)}
      onLeave={onLeave}
    >
      {dialogs}
    </QuestionScreen>
  );
}
