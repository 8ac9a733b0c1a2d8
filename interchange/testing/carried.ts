import type { Question } from '#contract/questions.ts';
import { comparable } from '#interchange/comparable.ts';
import { withTexts } from '#interchange/exported.ts';
import type { ComparableQuestion } from '#interchange/model.ts';
import { tidy } from './question-arbitrary.ts';

const NUMBER = /^[−-]?\d+(?:[.,]\d+)?$/;

/**
 * A question as it must come back: outer spaces of texts are removed, numbers have a decimal comma, a tolerance
 * of an answer that equals the question's is the question's, empty fields are absent.
 */
export function expectedAfterRoundTrip(question: Question): ComparableQuestion {
  const tidied = withTexts(question, tidy);
  if (tidied.kind !== 'open') return comparable(tidied);
  return comparable({
    ...tidied,
    accepted: tidied.accepted.map(({ tolerance, text, ...answer }) => ({
      ...answer,
      text: NUMBER.test(text) ? text.replace('−', '-').replace('.', ',') : text,
      ...(tolerance === undefined || tolerance === tidied.tolerance ? {} : { tolerance }),
    })),
  });
}
