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

/** One gap with the student's answer. */
export interface ShownReview {
  readonly gapId: string;
  /** Null: the gap is empty. */
  readonly answer: string | null;
  /** The share of its points that the answer earns, from 0 to 1; null: the key is not shown. */
  readonly share: number | null;
  /** What the key accepts; empty: the key is not shown. */
  readonly accepted: readonly string[];
  /** The teacher's feedback to this answer; empty: none. */
  readonly feedback: string;
}

export interface ReviewedGapsProps {
  gaps: readonly ShownReview[];
  owner: AnswerOwner;
  renderText: (text: string) => ReactNode;
}

type Tone = 'ok' | 'ink' | 'bad';

const SAID: Readonly<Record<Tone, string>> = {
  ok: ', верно',
  ink: ', верно частично',
  bad: ', неверно',
};

const toneOf = (share: number): Tone => (share === 1 ? 'ok' : share > 0 ? 'ink' : 'bad');

/** The answer in each gap and, if the key is known, what the key accepts. */
export function ReviewedGaps({ gaps, owner, renderText }: ReviewedGapsProps) {
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
                  {share === null ? ANSWER[owner] : ANSWER[owner] + SAID[tone]}
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
