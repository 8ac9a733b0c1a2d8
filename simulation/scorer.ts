import type { Answer } from '#contract/answers.ts';
import type { Question } from '#contract/questions.ts';

/** An independent, simple computation of points, to check the product's. */

const asNumber = (text: string): number => Number(text.trim().replace(',', '.') || 'none');

function shareOfText(
  question: Pick<Extract<Question, { kind: 'open' }>, 'accepted' | 'tolerance'>,
  typed: string,
): number {
  let best = 0;
  for (const { text, share } of question.accepted) {
    const isNear = Math.abs(asNumber(typed) - asNumber(text)) <= question.tolerance + 1e-9;
    const isSame = typed.trim().toLowerCase() === text.trim().toLowerCase();
    if (isNear || isSame) best = Math.max(best, share);
  }
  return best;
}

function shareOfOptions(
  question: Extract<Question, { kind: 'variant' }>,
  chosen: string[],
): number {
  let right = 0;
  let score = 0;
  for (const { optionId, isRight } of question.options) {
    if (isRight) right += 1;
    if (chosen.includes(optionId)) score += isRight ? 1 : -1;
  }
  const isWhole = !question.multiple || question.scoring === 'allOrNothing';
  if (isWhole) return score === right ? 1 : 0;
  return Math.max(0, score) / right;
}

function shareOf(question: Question, answer: Answer): number {
  if (question.kind === 'open' && answer.kind === 'open') return shareOfText(question, answer.text);
  if (question.kind === 'variant' && answer.kind === 'variant') {
    return shareOfOptions(question, answer.optionIds);
  }
  if (question.kind === 'compliance' && answer.kind === 'compliance') {
    const right = question.pairs.filter((pair) =>
      answer.pairs.some((one) => one.leftId === pair.leftId && one.rightId === pair.rightId),
    );
    return right.length / question.pairs.length;
  }
  if (question.kind === 'ordering' && answer.kind === 'ordering') {
    // Independent of the product: pairs of neighbours in the order of the key.
    const key = question.items.map(({ itemId }) => itemId);
    const preserved = answer.itemIds.slice(1).filter((id, index) => {
      const place = key.indexOf(answer.itemIds[index] ?? '');
      return place >= 0 && key[place + 1] === id;
    });
    return preserved.length / (key.length - 1);
  }
  if (question.kind === 'gaps' && answer.kind === 'gaps') {
    let earned = 0;
    let whole = 0;
    for (const gap of question.gaps) {
      whole += gap.weight;
      const given = answer.gaps.find(({ gapId }) => gapId === gap.gapId);
      if (!given) continue;
      if (gap.input !== 'choice' && 'text' in given)
        earned += gap.weight * shareOfText(gap, given.text);
      if (gap.input === 'choice' && 'optionId' in given)
        earned += gap.options.find((one) => one.optionId === given.optionId)?.isRight
          ? gap.weight
          : 0;
    }
    return whole === 0 ? 0 : earned / whole;
  }
  return 0;
}

/** Points of the parts graded by rule; `bodies` are canonical answers by question. */
export function scoreOf(
  questions: readonly Question[],
  bodies: ReadonlyMap<string, string>,
): number {
  let points = 0;
  for (const question of questions) {
    const body = bodies.get(question.questionId);
    if (body === undefined) continue;
    const share = shareOf(question, JSON.parse(body) as Answer);
    points += Math.round((share * question.points + Number.EPSILON) * 100) / 100;
  }
  return Math.round(points * 100) / 100;
}
