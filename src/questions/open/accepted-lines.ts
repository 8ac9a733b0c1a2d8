import { formatNumber, formatPercent, NBSP } from '#domain/format.ts';
import type { ReviewedQuestionOf } from '#app/questions/review.ts';

const NUMBER = /^[-−+]?\d+(?:[.,]\d+)?$/;

/** «4,9 (допуск ±0,05)» and other answers that the key accepts; empty: graded by hand. */
export function formatAccepted(question: ReviewedQuestionOf<'open'>): string[] {
  if (!('accepted' in question)) return [];
  const { accepted, tolerance } = question;
  // The key lists wrong answers only for their feedback.
  const paid = accepted.filter(({ share }) => share > 0);
  return paid.map(({ text, share, tolerance: own = tolerance }) => {
    const isNear = own > 0 && NUMBER.test(text.trim());
    const label = isNear ? `${text} (допуск ±${formatNumber(own, 6)})` : text;
    return share === 1 ? label : `${label}${NBSP}– ${formatPercent(share)} баллов`;
  });
}
