import { Button, Flex, Group, Paper } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import type { TemplateBody } from '#contract/templates.ts';
import { QuestionKey } from '#app/questions/QuestionKey.tsx';
import { StudentView } from '#app/questions/form/StudentView.tsx';
import { newId } from '#app/lib/new-id.ts';
import { Icon } from '#app/ui/Icon.tsx';
import { InlineNote } from '#app/ui/data/InlineNote.tsx';
import { questionOf } from './template/drawn-question.ts';
import { Walk } from './template/draws.ts';
import { TemplateError } from './template/template-error.ts';

const EXAMPLES = 3;
/** A fixed id: examples must not depend on the template's id. */
const PLACE = { templateId: 'example', seed: 'пример' };

interface Examples {
  readonly questions: readonly Question[];
  /** Why there is no example. */
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

/** Live examples of the template's questions, with answers. */
export function TemplateExample({
  body,
  problem,
}: {
  /** Null: the template has errors; `problem` is the first. */
  body: TemplateBody | null;
  problem: string | null;
}) {
  const [at, setAt] = useState(0);
  const { questions, failure } = useMemo(
    () => (body ? examplesOf(body) : { questions: [], failure: null }),
    [body],
  );
  const index = questions.length === 0 ? 0 : at % questions.length;
  const question = questions[index];
  return (
    <Flex
      component="section"
      className="sticky"
      top={{ md: 'calc(var(--app-header) + 1rem)' }}
      direction="column"
      gap="sm"
      miw={0}
      aria-label="Пример вопроса"
    >
      <Group gap="0.5rem 1rem" justify="space-between">
        <p role="status">
          {question ? `Пример ${index + 1} из ${questions.length}` : 'Пример появится здесь'}
        </p>
        {questions.length > 1 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<Icon of={IconRefresh} />}
            onClick={() => setAt(index + 1)}
          >
            Ещё пример
          </Button>
        )}
      </Group>
      {question && (
        <>
          <StudentView number={null} question={question} />
          <Paper p="0.75rem 1rem">
            <QuestionKey question={question} />
          </Paper>
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
    </Flex>
  );
}
