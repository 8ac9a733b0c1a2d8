import { Box } from '@mantine/core';
import type { Question } from '#contract/questions.ts';
import { kindAuthoring } from '#app/questions/kind-authoring.ts';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';
import classes from './authoring.module.css';

type Resolve = (key: string) => Promise<string>;

/** Read-only view of a question with its key. */
export function QuestionKey({ question, resolve }: { question: Question; resolve: Resolve }) {
  const { KeyView } = kindAuthoring(question);
  const inline = (text: string) => <RichText inline text={text} resolveImage={resolve} />;
  return (
    <>
      <KeyView question={question} inline={inline} />
      <Transcript keyed of={question} resolveImage={resolve} />
      {question.explanation !== undefined && question.explanation !== '' && (
        <Box className="line-above" mt="sm" pt="sm" fz="sm">
          <p className={classes.quiet}>Пояснение после ответа:</p>
          <RichText text={question.explanation} resolveImage={resolve} />
        </Box>
      )}
    </>
  );
}
