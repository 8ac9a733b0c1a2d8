import { PARTS_PER_QUESTION } from '#contract/limits.ts';
import type { Gap } from '#contract/questions.ts';

/**
 * Gives each choice gap the options of all of them. The right option of a gap stays right; a new one is wrong. Null:
 * there are more than a gap may have.
 */
export function withSharedWords(gaps: readonly Gap[], newId: () => string): Gap[] | null {
  const words = new Set(
    gaps
      .flatMap((gap) => (gap.input === 'choice' ? gap.options.map(({ text }) => text.trim()) : []))
      .filter((text) => text !== ''),
  );
  if (words.size > PARTS_PER_QUESTION) return null;
  return gaps.map((gap) => {
    if (gap.input !== 'choice') return gap;
    const options = [...words].map((text) => {
      const same = gap.options.filter((option) => option.text.trim() === text);
      const own = same.find(({ isRight }) => isRight) ?? same[0];
      return own ? { ...own, text } : { optionId: newId(), text, isRight: false };
    });
    return { ...gap, options };
  });
}
