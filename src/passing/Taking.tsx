import { Button } from '@mantine/core';
import { useCallback, useState, type ReactNode } from 'react';
import { formatClock } from '#domain/format-time.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { logProblem } from '#app/offline/log.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import type { AttemptView } from '#app/outbox/types.ts';
import { AnswerStateLine } from '#app/ui/AnswerStateLine.tsx';
import { toggleChoice } from '#app/ui/ChoiceList.tsx';
import { MarkButton } from '#app/ui/MarkButton.tsx';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { BottomBar, TakingBar } from '#app/ui/TakingBar.tsx';
import { QuestionText, TakingLayout } from '#app/ui/TakingLayout.tsx';
import { usePageTitle } from '#app/ui/use-page-title.ts';
import { useTakingKeys } from '#app/ui/use-taking-keys.ts';
import { AfterFinish } from './AfterFinish.tsx';
import { AnswersSheet } from './AnswersSheet.tsx';
import { saveAnswersFile } from './export-file.ts';
import { FinishSheet } from './FinishSheet.tsx';
import { LeaveSheet } from './LeaveSheet.tsx';
import classes from './passing.module.css';
import { QuestionAnswer } from './QuestionAnswer.tsx';
import { QuestionsAside, QuestionsSheet } from './QuestionsSheet.tsx';
import { TakingNote } from './TakingNote.tsx';
import { TimeHeader } from './TimeHeader.tsx';
import type { LocalMemory } from './told-times.ts';
import { useAnswering } from './use-answering.ts';
import { useOneWriter, useServerState } from './use-attempt.ts';
import { useCurrentQuestion } from './use-current-question.ts';
import { useLeaving } from './use-leaving.ts';
import { useTimeNotice } from './use-time-notice.ts';
import { pointsWords } from './words.ts';

export interface TakingProps {
  view: AttemptView;
  signedIn: boolean;
  local: LocalMemory;
  renderSignIn: (sheet: { opened: boolean; onClose: () => void }) => ReactNode;
  renderResult: (attemptId: string) => ReactNode;
  onLeave: () => void;
}

type OpenSheet = 'questions' | 'answers' | 'finish' | 'signIn' | 'leave' | null;

/** One attempt on the screen: question, answer, time, and where everything is. */
export function Taking({
  view,
  signedIn,
  local,
  renderSignIn,
  renderResult,
  onLeave,
}: TakingProps) {
  const { outbox, timeZone } = useDevice();
  const { attemptId } = view;
  usePageTitle(view.title);
  const answering = useAnswering(view);
  const [sheet, setSheet] = useState<OpenSheet>(null);
  const [isFinishing, setFinishing] = useState(false);
  // A reload after the finish opens the verdict.
  const isRunning = view.state === 'running';
  const [isAfter, setAfter] = useState(!isRunning);
  const { current, select, headingRef } = useCurrentQuestion(view);
  const resolveImage = usePictures(view.questions);
  useOneWriter(view);
  useServerState(view, signedIn);
  const notice = useTimeNotice(view, local);

  // A finish before its time opens the verdict, in whichever tab; a moved deadline leads back to the questions.
  const [wasRunning, setWasRunning] = useState(isRunning);
  if (wasRunning !== isRunning) {
    setWasRunning(isRunning);
    setAfter(!isRunning && view.now < view.deadline);
  }

  const { commit, closeTyping, reopenTyping } = answering;
  const finish = useCallback(
    async (reason: 'student' | 'deadline') => {
      setFinishing(true);
      closeTyping();
      try {
        await commit();
        await outbox.finish(attemptId, reason);
        if (reason === 'student') setSheet(null);
      } catch (cause) {
        logProblem('Тест не завершить', { cause });
        reopenTyping();
      } finally {
        setFinishing(false);
      }
    },
    [outbox, attemptId, commit, closeTyping, reopenTyping],
  );
  const onTimeOver = useCallback(() => {
    setSheet(null);
    void finish('deadline');
  }, [finish]);

  const locked = view.readOnly !== null;
  // What closes the inputs is said above the question; a finish would be refused.
  if (locked && sheet === 'finish') setSheet(null);
  const leave = useLeaving({
    asks: !locked,
    atRisk: view.counts.unsaved > 0 || (!locked && answering.problem !== null),
    onAsk: useCallback(() => {
      void commit();
      setSheet('leave');
    }, [commit]),
  });
  const question = view.questions[current];
  const stored = view.answers[current];
  const go = (index: number) => {
    void commit();
    select(Math.min(Math.max(0, index), view.questions.length - 1));
  };
  const next = () => {
    if (current < view.questions.length - 1) go(current + 1);
    else if (!locked) setSheet('finish');
  };
  const mark = () => {
    if (stored && !locked) void outbox.setMark(attemptId, stored.questionId, !stored.marked);
  };
  const choose = (digit: number) => {
    if (locked || question?.kind !== 'variant' || !stored) return;
    const option = question.options[digit - 1];
    if (!option) return;
    const { answer } = answering.shown(stored);
    const optionIds = toggleChoice(
      {
        options: question.options.map(({ optionId, text }) => ({ id: optionId, text })),
        selected: answer?.kind === 'variant' ? answer.optionIds : [],
        multiple: question.multiple,
      },
      option.optionId,
    );
    answering.choose({ questionId: question.questionId, kind: 'variant', optionIds });
  };
  useTakingKeys({ onDigit: choose, onNext: next, onMark: mark }, !isAfter);

  const sheets = (
    <>
      <AnswersSheet view={view} opened={sheet === 'answers'} onClose={() => setSheet(null)} />
      {renderSignIn({ opened: sheet === 'signIn', onClose: () => setSheet(null) })}
    </>
  );
  if (isAfter) {
    return (
      <>
        <AfterFinish
          view={view}
          signedIn={signedIn}
          renderResult={renderResult}
          onOpenAnswers={() => setSheet('answers')}
          onSignIn={() => setSheet('signIn')}
          onLeave={onLeave}
        />
        {sheets}
      </>
    );
  }
  if (!question || !stored) return null;

  const shown = answering.shown(stored);
  const at = shown.at === null ? undefined : formatClock(shown.at, timeZone);
  const textId = `question-${question.questionId}`;
  const listing = { view, current, locked, onSelect: go, onFinish: () => setSheet('finish') };
  const renderInline = (text: string) => (
    <RichText inline text={text} resolveImage={resolveImage} />
  );
  return (
    <>
      <TakingLayout
        header={
          <TimeHeader
            view={view}
            current={current}
            words={notice.words}
            onOpenAnswers={() => setSheet('answers')}
            onTimeOver={onTimeOver}
          />
        }
        aside={<QuestionsAside {...listing} />}
        note={
          <TakingNote
            view={view}
            problem={answering.problem}
            notice={notice}
            onSignIn={() => setSheet('signIn')}
            onExport={() => void outbox.exportUnsent(view.owner).then(saveAnswersFile)}
          />
        }
        number={current + 1}
        points={pointsWords(question)}
        mark={!locked && <MarkButton marked={stored.marked} onToggle={mark} />}
        headingRef={headingRef}
        bar={
          locked ? (
            <BottomBar>
              <Button variant="default" onClick={() => setSheet('questions')}>
                {current + 1} из {view.questions.length}
              </Button>
              <LockedAction view={view} onAfter={() => setAfter(true)} onLeave={onLeave} />
            </BottomBar>
          ) : (
            <TakingBar
              current={current}
              total={view.questions.length}
              onBack={() => go(current - 1)}
              onNext={next}
              onFinish={() => setSheet('finish')}
              onOpenGrid={() => setSheet('questions')}
              keyOptions={question.kind === 'variant' ? question.options.length : 0}
            />
          )
        }
      >
        <QuestionText id={textId}>
          <RichText text={question.text} resolveImage={resolveImage} />
        </QuestionText>
        <QuestionAnswer
          key={question.questionId}
          question={question}
          shown={shown}
          answering={answering}
          locked={locked}
          at={at}
          labelledBy={textId}
          renderText={renderInline}
          onNext={next}
        />
        {(question.kind !== 'file' || shown.stage === 'setAside') && (
          <AnswerStateLine
            state={shown.stage === 'none' && locked ? 'locked' : shown.stage}
            at={at}
            action={
              shown.stage === 'setAside' && (
                <QuietButton onClick={() => setSheet('answers')}>Подробнее</QuietButton>
              )
            }
          />
        )}
      </TakingLayout>
      <QuestionsSheet {...listing} opened={sheet === 'questions'} onClose={() => setSheet(null)} />
      <FinishSheet
        view={view}
        opened={sheet === 'finish'}
        onClose={() => setSheet(null)}
        onSelect={go}
        onFinish={() => void finish('student')}
        isFinishing={isFinishing}
      />
      <LeaveSheet
        view={view}
        opened={sheet === 'leave'}
        onStay={() => setSheet(null)}
        onLeave={leave}
      />
      {sheets}
    </>
  );
}

/** When inputs are closed: on to the verdict of a finish, else out. */
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
    <Button className={classes.grow} onClick={hasFinish ? onAfter : onLeave}>
      {hasFinish ? 'Что с моими ответами' : 'К тестам'}
    </Button>
  );
}
