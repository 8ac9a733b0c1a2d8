import type { Question } from '#contract/questions.ts';
import { mapTexts } from '#domain/question-texts.ts';
import { comparable } from '#interchange/comparable.ts';
import type { ComparableQuestion } from '#interchange/model.ts';
import { tidy } from './question-arbitrary.ts';

const NUMBER = /^[−-]?\d+(?:[.,]\d+)?$/;

const asWritten = (text: string) =>
  NUMBER.test(text) ? text.replace('−', '-').replace('.', ',') : text;

/**
 * The expected question after a round trip: outer spaces of texts are removed, numbers have a decimal comma, an
 * answer's tolerance that equals the question's is left to the question, empty fields are absent.
 */
export function expectedAfterRoundTrip(question: Question): ComparableQuestion {
  const tidied = mapTexts(question, tidy);
  if (tidied.kind !== 'open') return comparable(tidied);
  return comparable({
    ...tidied,
    accepted: tidied.accepted.map(({ tolerance, text: typed, ...answer }) => ({
      ...answer,
      text: asWritten(tidy(typed)),
      ...(tolerance === undefined || tolerance === tidied.tolerance ? {} : { tolerance }),
    })),
  });
}
