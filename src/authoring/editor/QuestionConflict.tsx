import { Button } from '@mantine/core';
import { IconArrowsSplit2 } from '@tabler/icons-react';
import { useId } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatPoints } from '#domain/format.ts';
import type { Draft, DraftConflict } from '#app/authoring/draft/draft.ts';
import { QuestionKey } from '#app/authoring/QuestionKey.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import classes from './editor.module.css';

type Resolve = (key: string) => Promise<string>;

function Version({
  heading,
  question,
  resolve,
}: {
  heading: string;
  question: Question | null;
  resolve: Resolve;
}) {
  return (
    <section className={classes.version}>
      <h3>{heading}</h3>
      {question === null ? (
        <p className={classes.hint}>Вопрос удалён</p>
      ) : (
        <>
          <p className={classes.hint}>{formatPoints(question.points)}</p>
          <RichText text={question.text} resolveImage={resolve} />
          <QuestionKey question={question} resolve={resolve} />
        </>
      )}
    </section>
  );
}

function happened({ mine, theirs }: DraftConflict): string {
  if (theirs === null) return 'Этот вопрос тем временем удалили';
  return mine === null
    ? 'Удалённый вопрос тем временем изменили'
    : 'Этот вопрос тем временем изменили';
}

/** One question changed here and elsewhere: both versions, and which one stays. */
export function QuestionConflict({
  conflict,
  resolve,
  onDecide,
}: {
  conflict: DraftConflict;
  resolve: Resolve;
  onDecide: (choice: Parameters<Draft['resolve']>[1]) => void;
}) {
  const id = useId();
  const { mine, theirs, by } = conflict;
  return (
    <section className={classes.conflict} aria-labelledby={id}>
      <h2 id={id}>{happened(conflict)}</h2>
      <InlineNote tone="warn" icon={IconArrowsSplit2}>
        {by !== null && `Изменено: ${by}. `}Обе версии целы. Выберите, какая останется.
      </InlineNote>
      <div className={classes.versions}>
        <Version heading="У вас" question={mine} resolve={resolve} />
        <Version
          heading={by === null ? 'В другом месте' : by}
          question={theirs}
          resolve={resolve}
        />
      </div>
      <div className={classes.wayButtons}>
        <Button size="sm" onClick={() => onDecide('mine')}>
          {mine === null ? 'Оставить удалённым' : 'Оставить моё'}
        </Button>
        <Button size="sm" variant="default" onClick={() => onDecide('theirs')}>
          {theirs === null ? 'Удалить и здесь' : 'Взять чужое'}
        </Button>
        {mine !== null && theirs !== null && (
          <Button size="sm" variant="default" onClick={() => onDecide('both')}>
            Сохранить оба
          </Button>
        )}
      </div>
    </section>
  );
}
