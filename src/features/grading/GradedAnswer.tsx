import { Text } from '@mantine/core';
import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';
import { isAnswered } from '#domain/answered.ts';
import { ReviewedAnswer } from '#app/questions/ReviewedAnswer.tsx';
import { acceptedLines } from '#app/questions/reviews.ts';
import { ShownFiles } from './ShownFile.tsx';

export interface GradedAnswerProps {
  question: Question;
  answer: Answer | null;
}

/** The student's answer beside the key. */
export function GradedAnswer({ question, answer }: GradedAnswerProps) {
  const accepted = acceptedLines(question);
  const given = isAnswered(answer) ? answer : null;
  return (
    <>
      {given === null && (
        <Text inherit c="dimmed">
          Без ответа
        </Text>
      )}
      <ReviewedAnswer
        question={question}
        answer={given}
        isKeyShown
        owner="student"
        renderFiles={(handedIn) => <ShownFiles answer={handedIn} />}
      />
      {accepted.length > 0 && (
        <p>
          <Text span size="sm" c="dimmed">
            По ключу верно:
          </Text>{' '}
          {accepted.join('; ')}
        </p>
      )}
    </>
  );
}
