import { Button } from '@mantine/core';
import { CatchBoundary } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StudentQuestion } from '#contract/questions.ts';
import { formatClock } from '#domain/format-time.ts';
import { questionPointsLabel } from '#domain/labels-points.ts';
import { useDevice, useShownZone } from '#app/lib/device-services.ts';
import { QuestionPictures } from '#app/lib/pictures/QuestionPictures.tsx';
import type { AttemptView, QuestionView } from '#app/outbox/types.ts';
import { answerInput, digitsOf, pressDigit } from '#app/questions/answer-inputs.ts';
import { QuestionContent } from '#app/questions/QuestionContent.tsx';
import { Announcer } from '#app/ui/Announcer.tsx';
import { lazyPart } from '#app/ui/lazy/lazy-part.tsx';
import { useMedia } from '#app/ui/use-media.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import { AnswerStateLine } from '#app/ui/taking/AnswerStateLine.tsx';
import { MarkButton } from '#app/ui/taking/MarkButton.tsx';
import { Passage } from '#app/ui/taking/Passage.tsx';
import { BottomBar, LAST_QUESTION, TakingBar } from '#app/ui/taking/TakingBar.tsx';
import { TakingLayout } from '#app/ui/taking/TakingLayout.tsx';
import { useTakingKeys } from '#app/ui/taking/use-taking-keys.ts';
import { AnswerAnnouncer } from './AnswerAnnouncer.tsx';
import { QuestionProblem } from './QuestionProblem.tsx';
import type { TakingDialog } from './TakingDialogs.tsx';
import { TakingNote } from './TakingNote.tsx';
import { TimeHeader } from './TimeHeader.tsx';
import { useShownAnswer, type Answering } from './use-answering.ts';
import type { CurrentQuestion } from './use-current-question.ts';
import type { TimeNotice } from './use-time-notice.ts';

/** Phones open «Все вопросы» instead. */
const QuestionsAside = lazyPart(
  () => import('./QuestionsAside.tsx'),
  (module) => module.QuestionsAside,
  false,
);

// Most attempts begin on the server.
const BeginNote = lazyPart(
  () => import('./BeginNote.tsx'),
  (module) => module.BeginNote,
);

export interface QuestionScreenProps {
  view: AttemptView;
  question: StudentQuestion;
  /** The answer to the question as the device has it. */
  stored: QuestionView;
  answering: Answering;
  current: CurrentQuestion;
  notice: TimeNotice;
  onOpen: (dialog: TakingDialog | 'signIn') => void;
  onTimeOver: () => void;
  onExport: () => Promise<void>;
  /** Opens the screen after the finish. */
  onAfter: () => void;
  onLeave: () => void;
  /** The dialogs. */
  children: ReactNode;
}

/** One question of an attempt with its answer, the time left, the list of questions and the bar to move on. */
export function QuestionScreen(props: QuestionScreenProps) {
  const { view, question, stored, answering, current, notice, onOpen } = props;
  const { outbox } = useDevice();
  const locked = view.readOnly !== null;
  const isWide = useMedia('(min-width: 1024px)');
  const mark = () => {
    if (!locked) void outbox.setMark(view.attemptId, stored.questionId, !stored.marked);
  };
  const chooseByKey = (digit: number) => {
    const answer = locked ? null : pressDigit(question, answering.shown(stored).answer, digit);
    if (answer) answering.choose(answer);
  };
  useTakingKeys({ onDigit: chooseByKey, onNext: current.next, onMark: mark }, true);
  return (
    <QuestionPictures of={view.questions}>
      <ContentLanguage value={view.language}>
        <TakingLayout
          header={
            <TimeHeader
              view={view}
              current={current.index}
              announcement={notice.announcement}
              onOpenAnswers={() => onOpen('answers')}
              onTimeOver={props.onTimeOver}
            />
          }
          aside={
            isWide && (
              <QuestionsAside
                view={view}
                current={current.index}
                locked={locked}
                onSelect={current.go}
                onFinish={() => onOpen('finish')}
                onOpenKeys={() => onOpen('keys')}
              />
            )
          }
          note={
            <>
              {view.begin && <BeginNote view={view} />}
              <TakingNote
                view={view}
                problem={answering.problem}
                picks={answering.picks}
                notice={notice}
                onSignIn={() => onOpen('signIn')}
                onExport={props.onExport}
              />
            </>
          }
          number={current.index + 1}
          points={questionPointsLabel(question)}
          mark={!locked && <MarkButton marked={stored.marked} onToggle={mark} />}
          headingRef={current.headingRef}
          passage={
            question.passage && (
              <Passage key={question.passage.passageId} passage={question.passage} />
            )
          }
          bar={<Bar {...props} />}
        >
          <QuestionBody {...props} />
          {/* A failed load is reported here, above the bottom bar. Open dialogs are rendered in a portal. */}
          {props.children}
        </TakingLayout>
        <Announcer words={current.isAtEnd ? LAST_QUESTION : ''} />
      </ContentLanguage>
    </QuestionPictures>
  );
}

/** A given answer renders this part alone. */
function QuestionBody({ view, question, stored, answering, current, onOpen }: QuestionScreenProps) {
  const shown = useShownAnswer(answering, stored);
  const textId = `question-${question.questionId}`;
  const timeZone = useShownZone();
  const locked = view.readOnly !== null;
  const at = shown.at === null ? undefined : formatClock(shown.at, timeZone);
  return (
    <>
      <CatchBoundary getResetKey={() => question.questionId} errorComponent={QuestionProblem}>
        <QuestionContent
          question={question}
          shown={shown}
          store={answering}
          locked={locked}
          at={at}
          labelledBy={textId}
          onNext={current.next}
        />
      </CatchBoundary>
      {(!answerInput(question).holdsState || shown.stage === 'setAside') && (
        <AnswerStateLine
          state={shown.stage === 'none' && locked ? 'locked' : shown.stage}
          at={at}
          action={
            shown.stage === 'setAside' && (
              <QuietButton onClick={() => onOpen('answers')}>Подробнее</QuietButton>
            )
          }
        />
      )}
      <AnswerAnnouncer shown={shown} labelledBy={textId} />
    </>
  );
}

function Bar({ view, question, current, onOpen, onAfter, onLeave }: QuestionScreenProps) {
  const total = view.questions.length;
  if (view.readOnly === null) {
    return (
      <TakingBar
        current={current.index}
        total={total}
        onBack={() => current.go(current.index - 1)}
        onNext={current.next}
        onFinish={() => onOpen('finish')}
        onOpenGrid={() => onOpen('questions')}
        keyOptions={digitsOf(question)}
      />
    );
  }
  const hasFinish = view.state !== 'running';
  return (
    <BottomBar>
      <Button variant="default" onClick={() => onOpen('questions')}>
        {current.index + 1} из {total}
      </Button>
      <Button flex="1 1 0" onClick={hasFinish ? onAfter : onLeave}>
        {hasFinish ? 'Что с моими ответами' : 'К тестам'}
      </Button>
    </BottomBar>
  );
}
