import { useState } from 'react';
import type { GapAnswer } from '#contract/answers.ts';
import { isFilledGap } from '#domain/kinds/gaps/answers.ts';
import type { FileFieldFile } from '#app/ui/forms/FileCard.tsx';

/** An answer in the preview; never stored. */
export interface PreviewAnswer {
  text?: string;
  optionIds?: readonly string[];
  pairs?: readonly { leftId: string; rightId: string }[];
  itemIds?: readonly string[];
  gaps?: readonly GapAnswer[];
  files?: readonly FileFieldFile[];
  marked?: boolean;
}

const NOTHING: PreviewAnswer = {};

export const isAnswered = ({ text = '', files = [], gaps = [], ...given }: PreviewAnswer) =>
  text.trim() !== '' ||
  gaps.some(isFilledGap) ||
  [given.optionIds, given.pairs, given.itemIds].some((ids = []) => ids.length > 0) ||
  files.length > 0;

/** Answers in the preview, in memory while it is open. */
export function usePreviewAnswers() {
  const [answers, setAnswers] = useState<ReadonlyMap<string, PreviewAnswer>>(new Map());
  return {
    of: (questionId: string) => answers.get(questionId) ?? NOTHING,
    set: (questionId: string, part: PreviewAnswer) =>
      setAnswers((now) => new Map([...now, [questionId, { ...now.get(questionId), ...part }]])),
    clear: () => setAnswers(new Map()),
  };
}
