import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import { QuestionKey } from '#app/authoring/QuestionKey.tsx';
import { StudentView } from '#app/authoring/question/StudentView.tsx';
import { newId } from '#app/offline/new-id.ts';
import { InlineNote } from '#app/ui/InlineNote.tsx';
import classes from './generate.module.css';
import { questionOf, Walk } from './template/draws.ts';
import { TemplateError } from './template/template-error.ts';

const EXAMPLES = 3;
/** Examples are no draw: every template shows its own, whatever its id. */
const PLACE = { templateId: 'example', seed: 'пример' };

interface Examples {
  readonly questions: readonly Question[];
  /** Why there is none. */
  readonly failure: string | null;
}

function examplesOf(body: TemplateBody): Examples {
  const template = { templateId: PLACE.templateId, body };
  try {
    const walk = new Walk(template, PLACE.seed);
    const questions: Question[] = [];
    while (questions.length < EXAMPLES) {
      const drawn = walk.next();
      if (!drawn) break;
      questions.push(questionOf(template, PLACE.seed, drawn, newId));
    }
    return { questions, failure: null };
  } catch (cause) {
    if (cause instanceof TemplateError) return { questions: [], failure: cause.message };
    throw cause;
  }
}

/** What the template gives, live: questions as a student has them, with their answers. */
export function TemplateExample({
  body,
  problem,
  resolve,
}: {
  /** Null: something is still wrong, and `problem` says what first. */
  body: TemplateBody | null;
  problem: string | null;
  resolve: (key: string) => Promise<string>;
}) {
  const [at, setAt] = useState(0);
  const { questions, failure } = useMemo(
    () => (body ? examplesOf(body) : { questions: [], failure: null }),
    [body],
  );
  const index = questions.length === 0 ? 0 : at % questions.length;
  const question = questions[index];
  return (
    <section className={classes.example} aria-label="Пример вопроса">
      <div className={classes.head}>
        <p role="status">
          {question ? `Пример ${index + 1} из ${questions.length}` : 'Пример появится здесь'}
        </p>
        {questions.length > 1 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={20} stroke={1.75} aria-hidden />}
            onClick={() => setAt(index + 1)}
          >
            Ещё пример
          </Button>
        )}
      </div>
      {question && (
        <>
          <StudentView number={null} question={question} resolve={resolve} />
          <div className={classes.right}>
            <QuestionKey question={question} resolve={resolve} />
          </div>
        </>
      )}
      {!question && (failure ?? problem) !== null && (
        <InlineNote
          tone={failure === null ? 'quiet' : 'warn'}
          {...(failure === null ? {} : { icon: IconAlertTriangle })}
        >
          {failure ?? problem}
        </InlineNote>
      )}
    </section>
  );
}
