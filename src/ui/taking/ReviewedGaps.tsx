import { Stack } from '@mantine/core';
import { useContext, type ReactNode } from 'react';
import { ContentLanguage } from '#app/ui/rich-text/content-language.ts';
import {
  ANSWER,
  Label,
  Nothing,
  ReviewedFeedback,
  ReviewedItem,
  type AnswerOwner,
} from './AnswerReview.tsx';

/** One gap with what was put into it. */
export interface ShownReview {
  readonly gapId: string;
  /** Null: nothing was put into it. */
  readonly answer: string | null;
  /** The part of its points that the answer earns, from 0 to 1; null: the key is not shown. */
  readonly share: number | null;
  /** What the key accepts; empty: the key is not shown. */
  readonly accepted: readonly string[];
  /** What the teacher wrote to this answer; empty: nothing. */
  readonly feedback: string;
}

export interface ReviewedGapsProps {
  gaps: readonly ShownReview[];
  whose: AnswerOwner;
  renderText: (text: string) => ReactNode;
}

type Tone = 'ok' | 'ink' | 'bad';

const SAID: Readonly<Record<Tone, string>> = {
  ok: ', верно',
  ink: ', верно частично',
  bad: ', неверно',
};

const toneOf = (share: number): Tone => (share === 1 ? 'ok' : share > 0 ? 'ink' : 'bad');

/** What was put into each gap and, where the key is known, what it accepts. */
export function ReviewedGaps({ gaps, whose, renderText }: ReviewedGapsProps) {
  const lang = useContext(ContentLanguage);
  return (
    <Stack component="ol" gap="xs">
      {gaps.map(({ gapId, answer, share, accepted, feedback }) => {
        const tone = share === null ? 'ink' : toneOf(share);
        return (
          <ReviewedItem key={gapId} number={gapId} tone={answer === null ? undefined : tone}>
            {answer === null ? (
              <Nothing>Не заполнен</Nothing>
            ) : (
              <>
                <span lang={lang}>{answer}</span>
                <Label tone={tone}>
                  {share === null ? ANSWER[whose] : ANSWER[whose] + SAID[tone]}
                </Label>
              </>
            )}
            {share !== null && share < 1 && (
              <>
                <span lang={lang}>{accepted.join('; ')}</span>
                <Label tone="ok">Верный ответ</Label>
              </>
            )}
            <ReviewedFeedback text={feedback} renderText={renderText} />
          </ReviewedItem>
        );
      })}
    </Stack>
  );
}
