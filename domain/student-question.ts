import type { Question, StudentQuestion } from '#contract/questions.ts';

/** Small seeded generator (mulberry32 over an FNV-1a hash of the seed); numbers in [0, 1). */
function seededRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i += 1)
    state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The same order for the same seed, always (Fisher–Yates). */
function shuffled<T>(items: readonly T[], seed: string): T[] {
  const random = seededRandom(seed);
  const order = [...items];
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [order[i] as T, order[j] as T];
    order[i] = b;
    order[j] = a;
  }
  return order;
}

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
