import type { Question, StudentQuestion } from '#contract/questions.ts';
import { shuffled } from './seeded-random.ts';

/**
 * A question as the student of one attempt gets it: fields are picked one by one, so that no key can
 * slip through; shuffled parts keep their order for the whole attempt.
 */
export function studentQuestion(question: Question, attemptId: string): StudentQuestion {
  const { questionId, text, points } = question;
  const base = { questionId, text, points };
  const seed = `${attemptId}/${questionId}`;
  switch (question.kind) {
    case 'open':
      return { ...base, kind: 'open', input: question.input };
    case 'variant': {
      const options = question.options.map(({ optionId, text: label }) => ({
        optionId,
        text: label,
      }));
      return {
        ...base,
        kind: 'variant',
        multiple: question.multiple,
        options: question.shuffle ? shuffled(options, seed) : options,
      };
    }
    case 'compliance': {
      const left = question.left.map(({ leftId, text: label }) => ({ leftId, text: label }));
      const right = question.right.map(({ rightId, text: label }) => ({ rightId, text: label }));
      return {
        ...base,
        kind: 'compliance',
        left,
        right: question.shuffle ? shuffled(right, seed) : right,
      };
    }
    case 'file':
      return { ...base, kind: 'file', maxBytes: question.maxBytes, accept: [...question.accept] };
  }
}
