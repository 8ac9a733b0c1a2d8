import { Button } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { formatClock } from '#domain/format-time.ts';
import { questionPointsLabel } from '#domain/labels-answer.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { logProblem } from '#app/lib/log.ts';
import { saveAnswers } from '#app/lib/save-answers.ts';
import { useSession } from '#app/lib/session/session-context.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { AnswerStateLine } from '#app/ui/taking/AnswerStateLine.tsx';
import { useDialogState } from '#app/ui/overlays/dialog-entries.ts';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { PageSpinner } from '#app/ui/layout/PageSpinner.tsx';
import { MarkButton } from '#app/ui/taking/MarkButton.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { BottomBar, LAST_QUESTION, TakingBar } from '#app/ui/taking/TakingBar.tsx';
import { Announcer } from '#app/ui/Announcer.tsx';
import { TakingLayout } from '#app/ui/taking/TakingLayout.tsx';
import { usePageTitle } from '#app/ui/layout/use-page-title.ts';
import { useTakingKeys } from '#app/ui/taking/use-taking-keys.ts';
import { AnswerAnnouncer } from './AnswerAnnouncer.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { answerInput, digitsOf, preloadFields, pressDigit } from '#app/questions/answer-inputs.ts';
import { QuestionContent } from '#app/questions/QuestionContent.tsx';
import { QuestionProblem } from './QuestionProblem.tsx';
import { QuestionsAside } from './QuestionsAside.tsx';
import type { TakingDialog } from './TakingDialogs.tsx';
import { TakingNote } from './TakingNote.tsx';
import { TimeHeader } from './TimeHeader.tsx';
import type { LocalMemory } from './announced-warnings.ts';
import { isPending } from '#app/questions/file/file-picks.ts';
import { useAnswering, type Answering } from './use-answering.ts';
import { useOneWriter, useServerState } from './use-attempt.ts';
import { useCurrentQuestion } from './use-current-question.ts';
import { useLeaving } from './use-leaving.ts';
import { usePaintedPage } from './use-painted-page.ts';
import { useScreenOn } from './use-screen-on.ts';
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

type OpenModal = TakingDialog | 'signIn';

/** The screen of a running attempt: question, answer, time left and delivery state. */
export function Taking({
  view,
  signedIn,
  local,
  renderSignIn,
  renderResult,
  onLeave,
}: TakingProps) {
  const { outbox } = useDevice();
  const { attemptId } = view;
  const userName = useSession()?.user.userName;
  const answering = useAnswering(view);
  const [openModal, setOpenModal] = useDialogState<OpenModal>('taking', ['questions']);
  // A reload after the finish opens the finish screen.
  const isRunning = view.state === 'running';
  const [isAfter, setAfter] = useState(!isRunning);
  const { current, select, headingRef } = useCurrentQuestion(view);
  usePageTitle(isAfter ? view.title : `${view.title}: вопрос ${current + 1}`);
  const { questions } = view;
  useEffect(() => preloadFields(questions), [questions]);
  useEffect(() => AfterFinish.preload(), []);
  useScreenOn(isRunning && view.readOnly === null);
  useOneWriter(view);
  useServerState(view, signedIn);
  const notice = useTimeNotice(view, local);
  usePaintedPage(view, current, isRunning && !isAfter && view.readOnly === null);

  // A finish in any tab opens the finish screen; an extended deadline returns to the questions.
  const [wasRunning, setWasRunning] = useState(isRunning);
  if (wasRunning !== isRunning) {
    setWasRunning(isRunning);
    setAfter(!isRunning && view.now < view.deadline);
  }

  const { commit, picks } = answering;
  const { finish, isFinishing } = useFinish(attemptId, answering, setOpenModal);
  const onTimeOver = useCallback(() => {
    setOpenModal(null);
    void finish('deadline');
  }, [finish, setOpenModal]);

  const locked = view.readOnly !== null;
  // The note above the question explains why the inputs are closed; a finish would be refused.
  if (locked && openModal === 'finish') setOpenModal(null);
  const leave = useLeaving({
    shouldConfirm: !locked,
    atRisk:
      view.counts.unsaved > 0 || picks.some(isPending) || (!locked && answering.problem !== null),
    onConfirm: useCallback(() => {
      void commit();
      setOpenModal('leave');
    }, [commit, setOpenModal]),
  });
  // Enter at the last question leads nowhere: only its own button opens the finish dialog.
  const [endAt, setEndAt] = useState(-1);
  const question = view.questions[current];
  const stored = view.answers[current];
  const go = (index: number) => {
    void commit();
    select(Math.min(Math.max(0, index), view.questions.length - 1));
  };
  const next = () => {
    if (current < view.questions.length - 1) go(current + 1);
    else setEndAt(current);
  };
  const mark = () => {
    if (stored && !locked) void outbox.setMark(attemptId, stored.questionId, !stored.marked);
  };
  const choose = (digit: number) => {
    if (locked || !question || !stored) return;
    const answer = pressDigit(question, answering.shown(stored).answer, digit);
    if (answer) answering.choose(answer);
  };
  useTakingKeys({ onDigit: choose, onNext: next, onMark: mark }, !isAfter);

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
        opened={openModal === 'signIn' ? null : openModal}
        current={current}
        locked={locked}
        isFinishing={isFinishing}
        onOpenFinish={() => setOpenModal('finish')}
        onOpenKeys={() => setOpenModal('keys')}
        onClose={() => setOpenModal(null)}
        onSelect={go}
        onFinish={() => void finish('student')}
        onExport={exportAnswers}
        onLeave={leave}
      />
      {renderSignIn({ opened: openModal === 'signIn', onClose: () => setOpenModal(null) })}
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
          onOpenAnswers={() => setOpenModal('answers')}
          onExport={exportAnswers}
          onSignIn={() => setOpenModal('signIn')}
          onLeave={onLeave}
        />
        {dialogs}
      </>
    );
  }
  if (!question || !stored) return null;

  const shown = answering.shown(stored);
  const textId = `question-${question.questionId}`;
  const listing = {
    view,
    current,
    locked,
    onSelect: go,
    onFinish: () => setOpenModal('finish'),
    onOpenKeys: () => setOpenModal('keys'),
  };
  return (
    <QuestionPictures of={questions}>
      <ContentLanguage value={view.language}>
        <TakingLayout
          header={
            <TimeHeader
              view={view}
              current={current}
              announcement={notice.announcement}
              onOpenAnswers={() => setOpenModal('answers')}
              onTimeOver={onTimeOver}
            />
          }
          aside={<QuestionsAside {...listing} />}
          note={
            <TakingNote
              view={view}
              problem={answering.problem}
              picks={picks}
              notice={notice}
              onSignIn={() => setOpenModal('signIn')}
              onExport={exportAnswers}
            />
          }
          number={current + 1}
          points={questionPointsLabel(question)}
          mark={!locked && <MarkButton marked={stored.marked} onToggle={mark} />}
          headingRef={headingRef}
          passage={
            question.passage && (
              <Passage key={question.passage.passageId} passage={question.passage} />
            )
          }
          bar={
            <Bar
              view={view}
              current={current}
              locked={locked}
              keyOptions={digitsOf(question)}
              onSelect={go}
              onNext={next}
              onOpen={setOpenModal}
              onAfter={() => setAfter(true)}
              onLeave={onLeave}
            />
          }
        >
          <QuestionBody
            question={question}
            shown={shown}
            store={answering}
            locked={locked}
            textId={textId}
            onNext={next}
            onDetails={() => setOpenModal('answers')}
          />
          {/* A failed load is reported here, above the bottom bar. Open dialogs are rendered in a portal. */}
          {dialogs}
        </TakingLayout>
        <AnswerAnnouncer shown={shown} labelledBy={textId} />
        <Announcer words={endAt === current ? LAST_QUESTION : ''} />
      </ContentLanguage>
    </QuestionPictures>
  );
}

/** Finishes the attempt once its answers are stored; without that the inputs open again. */
function useFinish(attemptId: string, answering: Answering, closeDialogs: (opened: null) => void) {
  const { outbox } = useDevice();
  const [isFinishing, setFinishing] = useState(false);
  const { commit, closeTyping, reopenTyping, files } = answering;
  const finish = useCallback(
    async (reason: 'student' | 'deadline') => {
      setFinishing(true);
      closeTyping();
      try {
        await files.close();
        const isStored = await commit();
        if (!isStored && reason === 'student') {
          reopenTyping();
          files.reopen();
          closeDialogs(null);
          return;
        }
        await outbox.finish(attemptId, reason);
        if (reason === 'student') closeDialogs(null);
      } catch (cause) {
        logProblem('Тест не завершить', { cause });
        reopenTyping();
        files.reopen();
      } finally {
        setFinishing(false);
      }
    },
    [outbox, attemptId, commit, closeTyping, reopenTyping, files, closeDialogs],
  );
  return { finish, isFinishing };
}

function QuestionBody({
  question,
  shown,
  store,
  locked,
  textId,
  onNext,
  onDetails,
}: {
  question: StudentQuestion;
  shown: QuestionView;
  store: Answering;
  locked: boolean;
  textId: string;
  onNext: () => void;
  onDetails: () => void;
}) {
  const timeZone = useShownZone();
  const at = shown.at === null ? undefined : formatClock(shown.at, timeZone);
  return (
    <>
      <CatchBoundary getResetKey={() => question.questionId} errorComponent={QuestionProblem}>
        <QuestionContent
          question={question}
          shown={shown}
          store={store}
          locked={locked}
          at={at}
          labelledBy={textId}
          onNext={onNext}
        />
      </CatchBoundary>
      {(!answerInput(question).holdsState || shown.stage === 'setAside') && (
        <AnswerStateLine
          state={shown.stage === 'none' && locked ? 'locked' : shown.stage}
          at={at}
          action={
            shown.stage === 'setAside' && <QuietButton onClick={onDetails}>Подробнее</QuietButton>
          }
        />
      )}
    </>
  );
}

function Bar({
  view,
  current,
  locked,
  keyOptions,
  onSelect,
  onNext,
  onOpen,
  onAfter,
  onLeave,
}: Pick<TakingProps, 'view' | 'onLeave'> & {
  current: number;
  locked: boolean;
  keyOptions: ReturnType<typeof digitsOf>;
  onSelect: (index: number) => void;
  onNext: () => void;
  onOpen: (opened: OpenModal) => void;
  onAfter: () => void;
}) {
  return locked ? (
    <BottomBar>
      <Button variant="default" onClick={() => onOpen('questions')}>
        {current + 1} из {view.questions.length}
      </Button>
      <LockedAction view={view} onAfter={onAfter} onLeave={onLeave} />
    </BottomBar>
  ) : (
    <TakingBar
      current={current}
      total={view.questions.length}
      onBack={() => onSelect(current - 1)}
      onNext={onNext}
      onFinish={() => onOpen('finish')}
      onOpenGrid={() => onOpen('questions')}
      keyOptions={keyOptions}
    />
  );
}

/** With closed inputs: to the finish screen after a finish, else out of the test. */
function LockedAction({
  view,
  onAfter,
  onLeave,
}: {
  view: AttemptView;
  onAfter: () => void;
  onLeave: () => void;
}) {
  const hasFinish = view.state !== 'running';
  return (
    <Button flex="1 1 0" onClick={hasFinish ? onAfter : onLeave}>
      {hasFinish ? 'Что с моими ответами' : 'К тестам'}
    </Button>
  );
}
