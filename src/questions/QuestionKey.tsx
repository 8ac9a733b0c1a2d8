import { Box, Text } from '@mantine/core';
import type { Question } from '#contract/questions.ts';
import { kindAuthoring } from './kind-authoring.ts';
import { Transcript } from '#app/ui/taking/Transcript.tsx';
import { RichText } from '#app/ui/rich-text/RichText.tsx';

/** Read-only view of a question with its key. */
export function QuestionKey({ question }: { question: Question }) {
  const { KeyView } = kindAuthoring(question);
  return (
    <>
      <KeyView question={question} />
      <Transcript keyed of={question} />
      {question.explanation !== undefined && question.explanation !== '' && (
        <Box className="line-above" mt="sm" pt="sm" fz="sm">
          <Text inherit c="dimmed">
            Пояснение после ответа:
          </Text>
          <RichText text={question.explanation} />
        </Box>
      )}
    </>
  );
}
