import { ActionIcon } from '@mantine/core';
import {
  IconArrowLeft,
  IconChevronLeft,
  IconChevronRight,
  IconHistory,
  IconKey,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerStateShort } from '#domain/labels-answer.ts';
import { useDevice } from '#app/offline/device-context.ts';
import { QuietButton } from '#app/ui/QuietButton.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { StatePill } from '#app/ui/StatePill.tsx';
import { TrialPill } from '#app/ui/TrialPill.tsx';
import { AnswerShown } from './AnswerShown.tsx';
import { DeleteAttempt } from './DeleteAttempt.tsx';
import { GradeForm, type GradeFormProps } from './GradeForm.tsx';
import { GradeLog } from './GradeLog.tsx';
import classes from './grading.module.css';
import { KeySheet } from './KeySheet.tsx';
import { itemOf } from './queue.ts';
import { gradeWords, momentWords } from './words.ts';

export interface AnswerPaneProps extends GradeFormProps {
  testId: string;
  place: { index: number; count: number };
  /** By the person; not just the first of the list. */
  isOpened: boolean;
  isOneAttempt: boolean;
  resolveImage: (key: string) => Promise<string>;
  onStep: (by: 1 | -1) => void;
  onBack: () => void;
  onDeleted: () => void;
}

type Opened = 'log' | 'key' | 'delete' | null;

/** An answer that was opened from below or above begins at its start. */
function toItsStart(pane: HTMLElement | null): void {
  if (!pane) return;
  const { top } = pane.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) pane.scrollIntoView({ block: 'start' });
}

/** One answer with its question, the grade, and what else can be done with it. */
export function AnswerPane(props: AnswerPaneProps) {
  const { testId, entry, place, resolveImage, onStep, onBack, isOneAttempt } = props;
  const { serverNow, timeZone } = useDevice();
  const [opened, setOpened] = useState<Opened>(null);
  const { question, attemptId, questionId } = entry;
  const titleId = `graded-${itemOf(entry)}`;
  const close = () => setOpened(null);
  return (
    <article
      ref={props.isOpened ? toItsStart : undefined}
      className={classes.answer}
      aria-labelledby={titleId}
    >
      <header className={classes.answerHead}>
        <div className={classes.toList}>
          <QuietButton icon={IconArrowLeft} onClick={onBack}>
            К списку
          </QuietButton>
        </div>
        <div className={classes.who}>
          <h2 id={titleId}>{entry.userName}</h2>
          {entry.trial && <TrialPill />}
          <p className={classes.dimmed}>
            Вопрос {entry.number}
            {entry.attemptNumber > 1 && `, попытка ${entry.attemptNumber}`} · {gradeWords(entry)}
            {entry.grader !== null &&
              entry.gradedAt !== null &&
              `, ${entry.grader} ${momentWords(entry.gradedAt, { now: serverNow(), timeZone })}`}
          </p>
        </div>
        <div className={classes.steps}>
          <ActionIcon
            aria-label="Предыдущий ответ"
            aria-disabled={place.index === 0}
            onClick={() => onStep(-1)}
          >
            <IconChevronLeft size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
          <span className={classes.place}>
            {place.index + 1} из {place.count}
          </span>
          <ActionIcon
            aria-label="Следующий ответ"
            aria-disabled={place.index + 1 >= place.count}
            onClick={() => onStep(1)}
          >
            <IconChevronRight size={20} stroke={1.75} aria-hidden />
          </ActionIcon>
        </div>
      </header>
      <div className={classes.question}>
        <RichText text={question.text} resolveImage={resolveImage} />
      </div>
      {entry.receivedLate && (
        <StatePill icon={IconHistory} tone="warn">
          {answerStateShort('late')}
        </StatePill>
      )}
      <AnswerShown question={question} answer={entry.answer} resolveImage={resolveImage} />
      <GradeForm
        {...props}
        // What is open over this answer, perhaps a half-made correction, is not taken away.
        onSaved={(saved, notice, isDone) => props.onSaved(saved, notice, isDone && opened === null)}
      />
      <div className={classes.more}>
        <Link
          className={classes.moreLink}
          to="/tests/manage/$testId/grading"
          params={{ testId }}
          search={isOneAttempt ? { questionId, show: 'all' } : { attemptId }}
        >
          {isOneAttempt ? 'Этот вопрос у всех' : 'Все ответы ученика'}
        </Link>
        <QuietButton icon={IconHistory} onClick={() => setOpened('log')}>
          История оценок
        </QuietButton>
        {question.kind !== 'file' && (
          <QuietButton icon={IconKey} onClick={() => setOpened('key')}>
            Исправить ключ…
          </QuietButton>
        )}
        {isOneAttempt && (
          <QuietButton icon={IconTrash} onClick={() => setOpened('delete')}>
            Удалить попытку…
          </QuietButton>
        )}
      </div>
      <GradeLog opened={opened === 'log'} onClose={close} entry={entry} />
      {opened === 'key' && (
        <KeySheet testId={testId} question={question} number={entry.number} onClose={close} />
      )}
      <DeleteAttempt
        opened={opened === 'delete'}
        onClose={close}
        entry={entry}
        onDeleted={props.onDeleted}
      />
    </article>
  );
}
