import { Link, useLocation, useRouteContext } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, formatPoints, QUESTIONS } from '#domain/format.ts';
import { usePictures } from '#app/offline/use-pictures.ts';
import { QueryProblem } from '#app/offline/QueryProblem.tsx';
import { usePageQuery } from '#app/offline/use-page-query.ts';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import { RichText } from '#app/ui/RichText.tsx';
import { RowsSkeleton } from '#app/ui/RowsSkeleton.tsx';
import classes from './authoring.module.css';
import { rememberEditMode, type EditMode } from './edit-mode.ts';
import { QuestionKey } from './QuestionKey.tsx';
import { contentQuery } from './queries.ts';

const MODES: readonly { mode: EditMode; label: string; words: string }[] = [
  {
    mode: 'custom',
    label: 'Вручную',
    words: 'Править вопросы вручную пока нельзя: редактор появится здесь в следующей версии.',
  },
  {
    mode: 'generate',
    label: 'Подбор',
    words: 'Подбора вопросов из банка пока нет: он появится здесь в следующей версии.',
  },
  {
    mode: 'ai',
    label: 'С ИИ',
    words: 'Составлять вопросы с ИИ пока нельзя: это появится здесь в следующей версии.',
  },
];

const KINDS: Readonly<Record<Question['kind'], string>> = {
  open: 'ответ текстом',
  variant: 'выбор',
  compliance: 'соответствие',
  file: 'файл',
};

function Questions({ questions }: { questions: readonly Question[] }) {
  const resolve = usePictures(questions);
  const { hash } = useLocation();
  // The address may name a question before it is there.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash]);
  return (
    <ol className={classes.questions}>
      {questions.map((question, index) => (
        <li
          key={question.questionId}
          id={`question-${question.questionId}`}
          className={classes.question}
        >
          <div className={classes.questionHead}>
            <h2>Вопрос {index + 1}</h2>
            <p>
              {KINDS[question.kind]}, {formatPoints(question.points)}
            </p>
          </div>
          <div className={classes.text}>
            {question.text.trim() === '' ? (
              <p className={classes.quiet}>Без текста</p>
            ) : (
              <RichText text={question.text} resolveImage={resolve} />
            )}
          </div>
          <QuestionKey question={question} resolve={resolve} />
        </li>
      ))}
    </ol>
  );
}

/** The questions of a test with their keys, in the mode that was chosen; to be read for now. */
export function TestContent({ testId, mode }: { testId: string; mode: EditMode }) {
  const { app } = useRouteContext({ from: '__root__' });
  const { data, problem, retry } = usePageQuery(contentQuery(testId));
  useEffect(() => rememberEditMode(app.local, testId, mode), [app.local, testId, mode]);
  const chosen = MODES.find((one) => one.mode === mode);
  return (
    <div className={classes.stack}>
      <nav className={classes.modes} aria-label="Способ правки">
        {MODES.map((one) => (
          <Link
            key={one.mode}
            to={`/tests/manage/$testId/edit/${one.mode}`}
            params={{ testId }}
            className={classes.mode}
            aria-current={one.mode === mode ? 'page' : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      <InlineNote>
        {chosen?.words} Сейчас вопросы показаны для чтения, вместе с баллами и ключами.
      </InlineNote>
      {data ? (
        data.questions.length === 0 ? (
          <EmptyState heading="В тесте пока нет вопросов">
            Когда редактор появится, они будут стоять здесь. Название, сроки и тех, кому тест
            назначен, можно задать в настройках уже сейчас.
          </EmptyState>
        ) : (
          <>
            <p className={classes.totals}>
              <span>{formatCount(data.questions.length, QUESTIONS)}</span>
              <span>{formatPoints(data.maxPoints)}</span>
            </p>
            <Questions questions={data.questions} />
          </>
        )
      ) : problem === null ? (
        <RowsSkeleton />
      ) : (
        <QueryProblem error={problem} onRetry={retry} />
      )}
    </div>
  );
}
