import { Box } from '@mantine/core';
import type { Question } from '#contract/questions.ts';
import { kindAuthoring } from './kind-authoring.ts';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import classes from './authoring.module.css';

/** Read-only view of a question with its key. */
export function QuestionKey({ question }: { question: Question }) {
  const { KeyView } = kindAuthoring(question);
  return (
    <>
      <KeyView question={question} />
      <Transcript keyed of={question} />
      {question.explanation !== undefined && question.explanation !== '' && (
        <Box className="line-above" mt="sm" pt="sm" fz="sm">
          <p className={classes.quiet}>Пояснение после ответа:</p>
          <RichText text={question.explanation} />
        </Box>
      )}
    </>
  );
}
